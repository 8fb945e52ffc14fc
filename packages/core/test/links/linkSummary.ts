/** What becomes of pasted text, in one line. */
import { classifyLink, type Link, type LinkRefused } from "@earmark/core/links"
import { assert } from "@effect/vitest"
import { Either } from "effect"

/** The kind and what matters of it in one line, or the reason of the refusal in brackets. */
export const summary = (text: string, options?: Parameters<typeof classifyLink>[1]): string =>
  Either.match(classifyLink(text, options), {
    onLeft: (refused: LinkRefused) => `[${refused.reason}]`,
    onRight: (link: Link) => {
      switch (link.kind) {
        case "apple":
          return `apple ${link.showId} ${link.episodeId} ${link.storefront} ${link.url}`
        case "social":
          return `${link.site} ${link.url}`
        case "page":
          return `${link.app} page ${link.url} ${link.appleId ?? link.feedUrl}`
        case "upload":
          return `upload of ${link.account} ${link.extension}`
        case "feed":
        case "web":
          return `${link.kind} ${link.url}${link.authorization === null ? "" : ` ${link.authorization}`}`
        default:
          return `${link.kind} ${link.url}`
      }
    },
  })

export const check = (table: Readonly<Record<string, string>>) => {
  for (const [text, expected] of Object.entries(table)) assert.strictEqual(summary(text), expected, text)
}
