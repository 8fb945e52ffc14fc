import { spawn } from "node:child_process"
import { Effect, Option } from "effect"
import type { Given } from "../../grammar/Grammar.js"
import type { browser as browserSpec } from "../../grammar/operating.js"
import { note } from "../../output.js"
import { askHost, show } from "./administer.js"

const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...words: ReadonlyArray<string>]>> =
  {
    darwin: ["open"],
    win32: ["rundll32", "url.dll,FileProtocolHandler"],
  }

/** Asks the desktop for a browser. Where there is none, the link that was printed is enough. */
const openBrowser = (url: string): Effect.Effect<void> =>
  Effect.sync(() => {
    const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"]
    const opener = spawn(program, [...words, url], { stdio: "ignore", detached: true })
    opener.on("error", () => undefined)
    opener.unref()
  })

export const openConsole = (options: Given<typeof browserSpec>) =>
  Effect.gen(function* () {
    const account = Option.getOrNull(options.account)
    const signIn = yield* askHost((host, surroundings) => host.signIn(account, surroundings))
    yield* show(signIn, options.json, ({ url }) => `${url}\n`)
    const { origin } = new URL(signIn.url)
    if (!signIn.answers)
      return yield* note(`No server answers at ${origin}: start it with earmark serve, then open the link.`)
    if (options.print || options.json || !process.stdout.isTTY) return
    yield* note("The link works once, for 5 minutes.")
    yield* openBrowser(signIn.url)
  })
