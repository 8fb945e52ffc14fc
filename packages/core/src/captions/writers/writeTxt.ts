import { type Paragraph, paragraphsOf } from "../../transcripts/paragraphs.js"
import { stampPrinter } from "../timestamps.js"
import type { Script } from "./Script.js"

/** The name of the speaker before a turn, then each word on a line of its own behind its time. */
const timedWords = ({ pieces, speaker, isTurn }: Paragraph, stamp: (time: number) => string): string => {
  const name = isTurn && speaker !== null ? `${speaker}:\n` : ""
  return `${name}${pieces.map(({ start, text }) => `${stamp(start)} ${text}\n`).join("")}`
}

/** Paragraphs with an empty line between them, the name of the speaker before each turn. */
export function* writeTxt(script: Script): Generator<string> {
  const stamp = stampPrinter(".")
  let separator = ""
  for (const paragraph of paragraphsOf(script.segments, [], { byWord: script.wordLevel })) {
    const { text, speaker, isTurn } = paragraph
    if (text === "") continue
    const named = `${isTurn && speaker !== null ? `${speaker}: ` : ""}${text}\n`
    yield `${separator}${script.wordLevel ? timedWords(paragraph, stamp) : named}`
    separator = "\n"
  }
}
