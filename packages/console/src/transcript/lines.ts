/** Lines of a transcript, and where things are in them. No document is touched here. */
export interface Line {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly text: string
  /** Whether a person has changed it. */
  readonly edited?: boolean | undefined
}

/** The line that is spoken at a moment: the last that has begun; the first before any has. */
export const lineAt = (lines: ReadonlyArray<Pick<Line, "start">>, seconds: number): number => {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.start ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

export interface Voice {
  readonly label: string
  /** From 1 to 8, in the order in which they first speak. */
  readonly colour: number
  /** Of all the time in which somebody speaks. */
  readonly share: number
}

const COLOURS = 8

const countVoices = (lines: ReadonlyArray<Line>): ReadonlyArray<Voice> => {
  const seconds = new Map<string, number>()
  let all = 0
  for (const { speaker, start, end } of lines) {
    all += end - start
    if (speaker !== null) seconds.set(speaker, (seconds.get(speaker) ?? 0) + end - start)
  }
  return [...seconds].map(([label, spoken], index) => ({
    label,
    colour: (index % COLOURS) + 1,
    share: all === 0 ? 0 : spoken / all,
  }))
}

/** Kept for as long as the lines are: many parts of a page ask. */
const known = new WeakMap<ReadonlyArray<Line>, ReadonlyArray<Voice>>()

/** Who speaks, in the order in which they first do. */
export const voicesOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Voice> => {
  const voices = known.get(lines) ?? countVoices(lines)
  known.set(lines, voices)
  return voices
}
