import { ObjectStoreMemory } from "@earmark/service"
import type { Settings } from "../settings/Settings.js"

/** Where the bytes of uploads lie: in memory, gone with the process, until there is a store on disk. */
export const objects = (_settings: Settings) => ObjectStoreMemory.layer
