/** A result at a server: named, exported and settled there. */
import type { DoneTranscription, EarmarkClient } from "@earmark/api/client"
import { Effect } from "effect"
import { SourceFailed } from "../SourceFailed.js"
import { knownNames } from "./knownNames.js"
import { factsOf, SERVED_FORMATS } from "./served.js"
import type { Made } from "./Workplace.js"

/** Asks the server, and says in plain words what failed. */
export type Ask = <Answer>(
  work: (signal: AbortSignal) => Promise<Answer>,
) => Effect.Effect<Answer, SourceFailed>

interface Served {
  readonly client: EarmarkClient
  readonly ask: Ask
  readonly settled: Made["settled"]
}

/** What has been made of a source, as a server gives it. */
export const servedResult = (job: DoneTranscription, served: Served): Made => ({
  facts: factsOf(job),
  finished: null,
  // The words are paid for: names that do not fit keep nobody from them.
  named: (asked, notice) =>
    Effect.gen(function* () {
      const { names, missing } = knownNames(asked, job.segments, job.speakers)
      if (missing.length > 0) yield* notice({ type: "speakers_missing", labels: missing })
      if (Object.keys(names).length === 0) return servedResult(job, served)
      return yield* served
        .ask((signal) => served.client.transcriptions.update(job.id, { speakers: names }, { signal }))
        .pipe(
          Effect.catchTag("SourceFailed", ({ message }) =>
            notice({ type: "speakers_refused", detail: message }),
          ),
          Effect.as(servedResult(job, served)),
        )
    }),
  export: (format, { wordLevel, layout }) =>
    Effect.gen(function* () {
      const known = SERVED_FORMATS.find((each) => each === format)
      if (known === undefined)
        return yield* new SourceFailed({
          code: "invalid_request",
          message: `${format}: a server does not write this format; it writes ${SERVED_FORMATS.join(", ")}.`,
        })
      const language = job.translation?.language
      const query = {
        format: known,
        word_level: wordLevel,
        profile: layout.profile,
        max_chars_per_line: layout.maxCharsPerLine,
        max_lines: layout.maxLines,
        ...(language !== undefined && { language }),
      }
      return [
        yield* served.ask((signal) => served.client.transcriptions.export(job.id, query, { signal }).bytes()),
      ]
    }),
  // What a server gives is corrected.
  corrected: () => servedResult(job, served),
  settled: served.settled,
})
