import { readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { Clock, Effect } from "effect"
import { EmbeddedRefused } from "./EmbeddedRefused.js"
import type { Place } from "./place.js"
import { attempt } from "./startServer.js"

/** A holder that was not touched for so long is gone. */
const SILENT_AFTER = 15_000
/** A container that starts again is another one, and waits until the former counts as gone. */
const PATIENCE_MILLISECONDS = 20_000
const LOOK_EVERY = "200 millis"

const fileOf = ({ folder }: Place): string => join(folder, "holder")

/** Numbers of processes mean something only here. */
const here = (): string => {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
  return `${hostname()} ${boot} ${readlinkSync("/proc/self/ns/pid")}`
}

const otherHolder = (place: Place, now: number): string | null => {
  const file = fileOf(place)
  const touched = statSync(file, { throwIfNoEntry: false })
  if (touched === undefined || now - touched.mtimeMs >= SILENT_AFTER) return null
  const holder = readFileSync(file, "utf8")
  return holder === here() ? null : holder
}

/** Takes a folder for this host or container. Another one that uses it is waited for, and then refused. */
export const claimFolder = (place: Place) =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      const other = yield* attempt(place, () => otherHolder(place, now))
      if (other === null) break
      if (now - begun > PATIENCE_MILLISECONDS)
        return yield* new EmbeddedRefused({ reason: "elsewhere", folder: place.folder, found: other })
      yield* Effect.sleep(LOOK_EVERY)
    }
    yield* attempt(place, () => writeFileSync(fileOf(place), here(), { mode: 0o600 }))
  })

/** Says that this host still uses the folder. What clears temporary folders leaves files that were touched. */
export const touchHolder = (place: Place, now: number): void => {
  const seconds = now / 1000
  for (const file of [fileOf(place), join(place.runtime, "leash"), place.runtime])
    utimesSync(file, seconds, seconds)
}

export const dropHolder = (place: Place): void => rmSync(fileOf(place), { force: true })
