import { JobStore, StoreSettings } from "@earmark/service"
import { Effect, Layer } from "effect"
import { Database } from "../database/Database.js"
import { Wakes } from "../database/Wakes.js"
import { changeJobs } from "./changeJobs.js"
import { createJobs } from "./createJobs.js"
import { makeJobWriter } from "./makeJobWriter.js"
import { readJobs } from "./readJobs.js"

const make = Effect.gen(function* () {
  const database = yield* Database
  const wakes = yield* Wakes
  const settings = yield* StoreSettings
  const write = yield* makeJobWriter(database, settings)
  return JobStore.of({
    ...createJobs(database, wakes, settings, write),
    ...(yield* readJobs(database)),
    ...changeJobs(database, wakes, settings),
  })
})

export const layer = Layer.scoped(JobStore, make)
