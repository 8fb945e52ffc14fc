import type { HeardWord } from "../heard.js"

const FRAME = 10

/** `name 1 start duration word confidence`; markers of silence and noise are no words. */
const LINE = /^\S+ \S+ (\d+(?:\.\d+)?) (\d+(?:\.\d+)?) (\S+) (\d+(?:\.\d+)?)$/
const MARKER = /^(?:<|\[|\+\+)/
const VARIANT = /\(\d+\)$/

/** The words of a CTM text, in milliseconds. A duration there ends with the start of its last frame. */
export const readCtm = (text: string): ReadonlyArray<HeardWord> =>
  text.split("\n").flatMap((line) => {
    const [, from = "", lasting = "", word = "", confidence = ""] = LINE.exec(line.trim()) ?? []
    if (word === "" || MARKER.test(word)) return []
    const start = Math.round(Number(from) * 1000)
    return [
      {
        text: word.replace(VARIANT, ""),
        start,
        end: start + Math.round(Number(lasting) * 1000) + FRAME,
        confidence: Math.min(1, Number(confidence)),
      },
    ]
  })
