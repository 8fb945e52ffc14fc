/** What sources are called. */

/** What `-` becomes before sources are read: a name that no file has, and what messages call it. */
export const STANDARD_INPUT = "<standard input>"

/** Other names of it, as shells and scripts write them. */
const ALIASES: ReadonlyArray<string> = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]

export const isStandardInput = (source: string): boolean =>
  source === STANDARD_INPUT || ALIASES.includes(source)

export const isAddress = (source: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(source)
