import type { Transcript } from "@earmark/core/transcripts"

/** A line of data as a model gets to see it, and what it may be cited by. */
export interface Line {
  readonly ids: ReadonlyArray<number>
  readonly text: string
}

/** A longer text is shown in pieces, each with the number of its segment. */
const LONGEST = 3_000

/** What could be taken for the end of the data, or that no reader sees. */
const HIDDEN = /[<>\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udfff]/g

const escaped = (found: string): string =>
  Array.from(
    { length: found.length },
    (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("")

/** A value on one line of JSON, in which no text can look like anything but text. */
export const dataLine = (...values: ReadonlyArray<unknown>): string =>
  JSON.stringify(values).replace(HIDDEN, escaped)

const piecesOf = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (let from = 0; from < text.length; from += LONGEST) pieces.push(text.slice(from, from + LONGEST))
  return pieces
}

/** The segments with text, numbered from 1 by their place in the transcript. */
export const linesOf = ({ segments }: Transcript): ReadonlyArray<Line> =>
  segments.flatMap(({ speaker, text }, index) =>
    text.trim() === ""
      ? []
      : piecesOf(text).map((piece) => ({
          ids: [index + 1],
          text:
            speaker === null ? dataLine(index + 1, piece) : dataLine(index + 1, piece, speaker.slice(0, 100)),
        })),
  )

/** About how many tokens a text is, rather too many than too few: models differ. */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3) + 1

/** Neighbours together while they stay under a number of tokens and of lines. A line that is longer is alone. */
export const cutLines = <A>(
  lines: ReadonlyArray<A>,
  textOf: (line: A) => string,
  { tokens, count = Number.POSITIVE_INFINITY }: { readonly tokens: number; readonly count?: number },
): ReadonlyArray<ReadonlyArray<A>> => {
  const parts: Array<Array<A>> = []
  let size = Number.POSITIVE_INFINITY
  for (const line of lines) {
    const own = tokensIn(textOf(line))
    const last = parts.at(-1)
    if (last === undefined || size + own > tokens || last.length >= count) {
      parts.push([line])
      size = own
    } else {
      last.push(line)
      size += own
    }
  }
  return parts
}

/** The two halves of what was too much at once. */
export const halvesOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)]
}
