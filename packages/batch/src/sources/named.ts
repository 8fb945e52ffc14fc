/** What sources are called. */
import { fileURLToPath } from "node:url"

/** What `-` becomes before sources are read: a name that no file has, and what messages call it. */
export const STANDARD_INPUT = "<standard input>"

/** Other names of it, as shells and scripts write them. */
const ALIASES: ReadonlyArray<string> = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]

export const isStandardInput = (source: string): boolean =>
  source === STANDARD_INPUT || ALIASES.includes(source)

/** `file:///talks/a.mp3`, as file managers copy it, is the path; all else stays as it is. */
export const withoutFileScheme = (source: string): string => {
  if (!/^file:\/\//i.test(source)) return source
  try {
    return fileURLToPath(source)
  } catch {
    // It names another machine, or has no path.
    return source
  }
}

export const isAddress = (source: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(source)

/** Whether a file is named like a list of feeds. */
export const isOpml = (source: string): boolean => !isAddress(source) && /\.opml$/i.test(source)
