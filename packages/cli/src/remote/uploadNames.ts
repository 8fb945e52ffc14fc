/** What uploads were called here: a service knows them by their references alone. */
import { join } from "node:path"
import { hashOf, readRecord, writeRecord } from "@earmark/batch"
import { stateFolder } from "@earmark/runtime/user"
import { Effect, Schema } from "effect"

const Named = Schema.Struct({ name: Schema.String })

const placeOf = (reference: string) =>
  Effect.map(stateFolder, (state) => join(state, "uploads", `${hashOf(reference)}.json`))

export const keepUploadName = Effect.fnUntraced(function* (reference: string, name: string) {
  yield* writeRecord(yield* placeOf(reference), { name })
})

export const uploadName = Effect.fnUntraced(function* (reference: string) {
  const found = yield* readRecord(yield* placeOf(reference), Named)
  return found?.name ?? null
})
