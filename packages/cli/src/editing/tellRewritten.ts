import { Effect } from "effect"
import type { Library } from "../library/Library.js"
import { note } from "../output.js"

/** Writes files again that were written from a transcript that has changed, and tells which. */
export const tellRewritten = (library: Library, id: string) =>
  Effect.gen(function* () {
    const { written, left } = yield* library.rewrite(id)
    if (written.length > 0) yield* note(`Written again: ${written.join(", ")}`)
    if (left.length > 0)
      yield* note(
        `Left alone, since it was changed by hand or cannot be written: ${left.join(", ")}. earmark export ${id} -o FILE writes it again.`,
      )
    return { written, left }
  })
