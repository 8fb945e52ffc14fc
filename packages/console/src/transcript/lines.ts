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
  /** From 1 on, in the order in which they first spoke when the transcript was opened. Its digit is the key of the speaker. */
  readonly place: number
  /** From 1 to 8. */
  readonly colour: number
  /** Of all the time in which somebody speaks. */
  readonly share: number
}

const COLOURS = 8

/** Who speaks in one transcript. A correction changes nobody's place: new speakers get the next one, and a speaker who is taken back gets the old one. */
export class Cast {
  readonly #places = new Map<string, number>()
  /** Kept for as long as the lines are: many parts of a page ask. */
  readonly #known = new WeakMap<ReadonlyArray<Line>, ReadonlyArray<Voice>>()

  /** The voices of these lines, by place. */
  of(lines: ReadonlyArray<Line>): ReadonlyArray<Voice> {
    const voices = this.#known.get(lines) ?? this.#count(lines)
    this.#known.set(lines, voices)
    return voices
  }

  #count(lines: ReadonlyArray<Line>): ReadonlyArray<Voice> {
    const seconds = new Map<string, number>()
    let all = 0
    for (const { speaker, start, end } of lines) {
      all += end - start
      if (speaker !== null) seconds.set(speaker, (seconds.get(speaker) ?? 0) + end - start)
    }
    return [...seconds]
      .map(([label, spoken]) => {
        const place = this.#placeOf(label)
        const colour = ((place - 1) % COLOURS) + 1
        return { label, place, colour, share: all === 0 ? 0 : spoken / all }
      })
      .sort((one, other) => one.place - other.place)
  }

  #placeOf(label: string): number {
    const place = this.#places.get(label) ?? this.#places.size + 1
    this.#places.set(label, place)
    return place
  }
}

interface Spoken {
  readonly id: string
  readonly segments: ReadonlyArray<Line>
}

/** Of the transcript that was opened last: one is open at a time. */
let open = { id: "", cast: new Cast() }

/** Who speaks in a transcript, in the order of their places. */
export const voicesOf = ({ id, segments }: Spoken): ReadonlyArray<Voice> => {
  if (open.id !== id) open = { id, cast: new Cast() }
  return open.cast.of(segments)
}
