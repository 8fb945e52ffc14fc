import { Layer } from "effect"
import type { Settings } from "../settings/Settings.js"
import { database } from "./database.js"
import { objects } from "./objects.js"
import { secrets } from "./secretsKey.js"

/**
 * Everything that is kept, and the keys that it is sealed with. The keys come first: a database without a key beside it is one whose
 * key was lost.
 */
export const stores = (settings: Settings, options: { readonly thread: boolean }) =>
  Layer.merge(database(settings, options), objects(settings)).pipe(Layer.provideMerge(secrets(settings)))
