import { Effect, Layer } from "effect"
import type { Settings } from "../settings/Settings.js"
import { database } from "./database.js"
import { ownStore } from "./secretsKey.js"

/** Every store of one database that is of the secrets key of this process: nothing is asked of any other. */
export const ownDatabase = (settings: Settings) =>
  database(settings).pipe(Layer.tap((stores) => Effect.provide(ownStore(settings), stores)))
