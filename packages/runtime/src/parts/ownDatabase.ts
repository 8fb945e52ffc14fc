import { Effect, Layer } from "effect"
import type { Settings } from "../settings/Settings.js"
import { database } from "./database.js"
import { ownStore } from "./secretsKey.js"

/** Every store of one database that is of the secrets key of this process: nothing is asked of any other. */
export const ownDatabase = (settings: Settings, options: { readonly thread: boolean }) =>
  database(settings, options).pipe(Layer.tap((stores) => Effect.provide(ownStore(settings), stores)))
