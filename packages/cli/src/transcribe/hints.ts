/** What helps to know once, and is a nuisance each time. */
import { join } from "node:path"
import { readRecord, writeRecord } from "@earmark/batch"
import { Clock, Effect, Schema } from "effect"

const Told = Schema.Record({ key: Schema.String, value: Schema.Finite })

/** After so long it is told or asked again. */
export const FORGOTTEN = 30 * 86_400_000

/** Tells each hint once a month; every time when `always`. */
export const makeHints = (folder: string, tell: (text: string) => Effect.Effect<void>, always: boolean) => {
  const path = join(folder, "hints.json")
  const inRun = new Set<string>()
  return Effect.fnUntraced(function* (key: string, text: string) {
    if (inRun.has(key)) return
    inRun.add(key)
    const now = yield* Clock.currentTimeMillis
    const told = (yield* readRecord(path, Told)) ?? {}
    if (!always && now - (told[key] ?? 0) < FORGOTTEN) return
    yield* tell(text)
    const recent = Object.entries(told).filter(([, at]) => now - at < FORGOTTEN)
    yield* writeRecord(path, { ...Object.fromEntries(recent), [key]: now })
  })
}
