/** Parts of the text that are marked, by those browsers that can. */
export const MARKS = ["found", "current", "spoken", "doubts"] as const

const canMark = typeof Highlight === "function" && CSS.highlights !== undefined

/** Marks these and none of those before. Of nothing there is nothing to draw. */
export const mark = (name: (typeof MARKS)[number], ranges: ReadonlyArray<Range>): void => {
  if (!canMark) return
  if (ranges.length === 0) CSS.highlights.delete(`earmark-${name}`)
  else CSS.highlights.set(`earmark-${name}`, new Highlight(...ranges))
}

/** The characters of a line from, and up to; none where it is shorter by now. */
export const rangeIn = (
  line: HTMLElement | undefined,
  [from, to]: readonly [number, number],
): ReadonlyArray<Range> => {
  const node = line?.firstChild
  if (!(node instanceof Text) || to > node.length) return []
  const range = new Range()
  range.setStart(node, from)
  range.setEnd(node, to)
  return [range]
}
