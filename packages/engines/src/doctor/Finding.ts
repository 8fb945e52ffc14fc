/** One thing that was looked for. */
export interface Finding {
  readonly name: string
  /** `missing` is in the way of something; `old` is there, and may not do any more; `unused` would only add to what is there. */
  readonly status: "ok" | "missing" | "old" | "unused"
  /** What was found, or what it is for. */
  readonly detail: string
  /** The one command that gets it; null when there is nothing to do. */
  readonly fix: string | null
}
