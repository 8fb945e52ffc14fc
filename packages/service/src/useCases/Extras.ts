import { type AccountId, JobExpired } from "@earmark/core/jobs"
import type { ExtrasRequest, TranscriptExtras } from "@earmark/core/wire"
import { Context, Effect, Layer } from "effect"
import { ExtraStore } from "../ports/ExtraStore.js"
import { Translator } from "../ports/Speech.js"
import { makeFinding, type Unreadable } from "./finding.js"
import { wantedExtras } from "./laterExtras.js"
import { canTranslate } from "./limits.js"
import { type RequestRefused, TranscriptNotReady } from "./refusals.js"
import { showSummary } from "./showJob.js"

/** Summaries, chapters and translations that are asked for after a job is done. */
export class Extras extends Context.Tag("@earmark/service/Extras")<
  Extras,
  {
    /** Asks for extras of the newest revision; workers make them. They cost nothing. */
    readonly ask: (
      account: AccountId,
      id: string,
      request: ExtrasRequest,
    ) => Effect.Effect<TranscriptExtras, RequestRefused | TranscriptNotReady | Unreadable>
    /** Whether a text can be had in another language here. */
    readonly canTranslate: boolean
  }
>() {
  static readonly layer = Layer.effect(
    Extras,
    Effect.gen(function* () {
      const store = yield* ExtraStore
      const translator = yield* Translator
      const { find, heardContent } = yield* makeFinding

      const ask = Effect.fn("Extras.ask")(function* (account: AccountId, id: string, request: ExtrasRequest) {
        const job = yield* find(account, id)
        if (job.state.status !== "done") return yield* new TranscriptNotReady({ status: job.state.status })
        yield* heardContent(job)
        const names = yield* wantedExtras(job, request, translator)
        const asked =
          names.length === 0
            ? job
            : yield* store.ask(account, job.id, names).pipe(
                // It was there a moment ago.
                Effect.catchTag("NothingToEdit", () => Effect.fail(new JobExpired({ id: job.id }))),
              )
        return { enrichment: showSummary(asked).enrichment }
      })

      return Extras.of({ ask, canTranslate: canTranslate(translator) })
    }),
  )
}
