/** Recordings in a folder, and what transcribes them without a program: real files, a scripted engine. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { FetcherNode } from "@earmark/media"
import { ObjectStoreMemory, Scripted } from "@earmark/service"
import { NodeContext } from "@effect/platform-node"
import { Layer } from "effect"

/** A scripted engine that takes so many milliseconds for each window. */
export const layerOf = (delay = 0) =>
  Layer.mergeAll(
    Scripted.layer({ engine: { delay: [delay, delay] } }),
    FetcherNode.layer({}),
    ObjectStoreMemory.layer,
    NodeContext.layer,
  )

/** A folder with files of these names. How long they are is part of their path: see `ScriptedMedia`. */
export const newPlace = (...names: ReadonlyArray<string>): string => {
  const place = mkdtempSync(join(tmpdir(), "earmark-batch-"))
  for (const name of names) {
    mkdirSync(dirname(join(place, name)), { recursive: true })
    writeFileSync(join(place, name), name)
  }
  return place
}
