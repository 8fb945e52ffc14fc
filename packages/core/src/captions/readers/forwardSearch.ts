/**
 * A search that never goes back: every character is looked at once.
 * A plain object and no closure: V8 drops optimized code with the closures it was made for, so every file would start slow.
 */
export interface ForwardSearch {
  readonly text: string
  readonly sought: string
  found: number
}

export const forwardSearch = (text: string, sought: string): ForwardSearch => ({ text, sought, found: -1 })

/** The first place at or behind `from`; the length of the text when there is none. */
export const nextPlace = (search: ForwardSearch, from: number): number => {
  if (search.found < from) {
    const found = search.text.indexOf(search.sought, from)
    search.found = found < 0 ? search.text.length : found
  }
  return search.found
}
