/** Uploads that did not end, by file: chosen again, a file goes on where it broke off, also after the page was closed. */

/** A file that was changed meanwhile is another one. */
const keyOf = (account: string, { name, size, lastModified }: File): string =>
  `earmark-upload ${account} ${size} ${lastModified} ${name}`

export const unfinished = (account: string, file: File): string | undefined => {
  try {
    return localStorage.getItem(keyOf(account, file)) ?? undefined
  } catch {
    return undefined
  }
}

/** Where the browser keeps nothing, a file begins anew. */
export const keepUnfinished = (account: string, file: File, mediaRef: string): void => {
  try {
    localStorage.setItem(keyOf(account, file), mediaRef)
  } catch {}
}

export const dropUnfinished = (account: string, file: File): void => {
  try {
    localStorage.removeItem(keyOf(account, file))
  } catch {}
}
