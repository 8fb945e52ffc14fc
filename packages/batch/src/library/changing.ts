/** Corrections of what was heard, and what is made of it afterwards. */
import { Effect } from "effect"
import { makeExtras, withMade } from "./addExtras.js"
import type { Contents } from "./contents.js"
import { makeEditing } from "./editEntry.js"
import { keepExtras } from "./extrasFile.js"
import type { Heads } from "./heads.js"
import type { Library } from "./Library.js"
import { refusal } from "./LibraryRefused.js"
import { rewriteResults } from "./rewriteResults.js"

export const makeChanging = ({ folder, writing, find, finished }: Heads, { revised, forFiles }: Contents) => {
  const editing = makeEditing({
    folder,
    writing,
    revised,
    finished: (id) =>
      Effect.map(finished(id), ({ job, speakerNames }) => ({
        id: job.id,
        title: job.title,
        durationSeconds: job.duration_seconds,
        speakerNames,
      })),
  })

  const addExtras: Library["addExtras"] = Effect.fnUntraced(function* (id, request, staff) {
    const { job } = yield* finished(id)
    const { content, revision, extras } = yield* revised(id)
    const { made, answer } = yield* makeExtras(
      {
        enrichment: withMade(job.enrichment, extras),
        translateTo: job.options.translate_to,
        durationSeconds: job.duration_seconds,
        content,
        revision,
      },
      request,
      staff,
    ).pipe(Effect.mapError((refused) => refusal(refused, id)))
    if (made.length === 0) return answer
    yield* editing.alone(
      id,
      Effect.flatMap(revised(id, 0), (heard) =>
        writing(() => keepExtras(folder, id, heard.content.segments, made)),
      ),
    )
    return answer
  })

  const rewrite: Library["rewrite"] = Effect.fnUntraced(function* (id) {
    const { job } = yield* finished(id)
    return yield* rewriteResults(folder, yield* find(id), yield* forFiles(job))
  })

  return { ...editing, addExtras, rewrite }
}
