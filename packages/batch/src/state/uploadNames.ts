/** What uploads were called here: a server knows them by their references alone. */
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { hashOf, readRecord, writeRecord } from "./stateFiles.js"

const Named = Schema.Struct({ name: Schema.String })

const placeOf = (state: string, reference: string) => join(state, "uploads", `${hashOf(reference)}.json`)

export const keepUploadName = (state: string, reference: string, name: string) =>
  writeRecord(placeOf(state, reference), { name })

/** For `uploadName` of a workplace at a server. */
export const uploadName = (state: string, reference: string) =>
  Effect.map(readRecord(placeOf(state, reference), Named), (found) => found?.name ?? null)
