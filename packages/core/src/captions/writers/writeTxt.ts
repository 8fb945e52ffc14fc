import { paragraphsOf } from "./paragraphs.js"
import type { Script } from "./Script.js"

/** Paragraphs with an empty line between them, the name of the speaker before each turn. */
export function* writeTxt(script: Script): Generator<string> {
  let separator = ""
  for (const { text, speaker, isTurn } of paragraphsOf(script)) {
    if (text === "") continue
    yield `${separator}${isTurn && speaker !== null ? `${speaker}: ` : ""}${text}\n`
    separator = "\n"
  }
}
