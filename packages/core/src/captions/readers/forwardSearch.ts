/** Where something comes next, for questions that never go back: every character is looked at once. */
export const forwardSearch = (text: string, sought: string): ((from: number) => number) => {
  let found = -1
  return (from) => {
    if (found < from) {
      found = text.indexOf(sought, from)
      if (found < 0) found = Number.POSITIVE_INFINITY
    }
    return found
  }
}
