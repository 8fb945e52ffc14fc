import { chaptersOf, summarize } from "@earmark/core/text"
import { Effect, Layer } from "effect"
import { Writer } from "../ports/Speech.js"

/** Sentences and words of the transcript itself, chosen by counting: no model, no network, nothing invented. */
export const layer = Layer.succeed(Writer, {
  id: "extractive",
  isRemote: false,
  summarize: (transcript) => Effect.sync(() => summarize(transcript).text),
  chapters: (transcript) => Effect.sync(() => chaptersOf(transcript)),
})
