/** Transcripts that questions are asked of. */
import { JobId } from "@earmark/core/jobs"
import type { AskedTranscript } from "@earmark/core/questions"
import type { Segment } from "@earmark/core/transcripts"

export const idOf = (name: string): JobId => JobId.make(`tr_0${name.padEnd(25, "0")}`)

const lineOf = (text: string, index: number, withWords = false): Segment => ({
  start: index * 5000,
  end: index * 5000 + 4800,
  speaker: index % 2 === 0 ? "Ann" : "Bob",
  text,
  words: withWords
    ? text.split(" ").map((word, at) => ({
        text: word,
        start: index * 5000 + at * 300,
        end: index * 5000 + at * 300 + 250,
        confidence: null,
        speaker: null,
      }))
    : [],
})

export const transcriptOf = (
  name: string,
  texts: ReadonlyArray<string>,
  withWords = false,
): AskedTranscript => ({
  id: idOf(name),
  segments: texts.map((text, index) => lineOf(text, index, withWords)),
})

export const filler = (count: number) =>
  Array.from({ length: count }, (_, at) => `Then we talked about the garden and weather of day ${at}.`)

export const panels = "The price of solar panels fell by ninety percent within ten years."
export const bees = "My grandmother kept eleven hives of bees behind the old chapel."
export const garden = transcriptOf("a", [...filler(60), panels, ...filler(60), bees, ...filler(20)])
