/** Which episodes of a feed are wanted. */
import type { EpisodesWanted } from "../Asked.js"

interface Listed {
  readonly title: string | null
  readonly guid: string
  /** Milliseconds since 1970. */
  readonly publishedAt: number | null
}

const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()

/** Whether an episode is of those days, and has that in its title; without a title, in its GUID. */
export const fits =
  ({ since, match }: Pick<EpisodesWanted, "since" | "match">) =>
  ({ title, guid, publishedAt }: Listed): boolean =>
    (since === null || (publishedAt ?? Number.NEGATIVE_INFINITY) >= since) &&
    (match === null || fold(title ?? guid).includes(fold(match)))
