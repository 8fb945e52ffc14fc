/** Which file was made from what: so that a second run knows what is done, and what is somebody else's. */
import { join, resolve } from "node:path"
import type { ExportFormat } from "@earmark/core/captions"
import { Effect, Schema } from "effect"
import type { Others } from "../Problem.js"
import { type Place, pathIn } from "../results/places.js"
import type { Found } from "../work/Workplace.js"
import type { Claims } from "./claims.js"
import { holdsSomething, isStream, stateOf } from "./fileStates.js"
import { hashOf, readRecord, writeRecord } from "./stateFiles.js"

/** What is done with results that are there: made anew, made anew when they are out of date, or left whoever made them. */
export type Mode = "force" | "update" | "keep"

const Record = Schema.Struct({
  source: Schema.String,
  /** The state of the source, and what was asked for: another one gives another result. */
  asked: Schema.String,
  /** The state of the file when it was made. */
  made: Schema.String,
  /** Of a text that a publisher wrote: the feed that named it. Absent where the media was heard. */
  publisher: Schema.optional(Schema.NullOr(Schema.String)),
})
type Record = typeof Record.Type

/** A source as its results remember it. */
export interface Origin {
  readonly source: string
  readonly asked: string
  /** The feed that names the source: what it wrote stands for no other feed, and for no plain address. */
  readonly publisher?: string | null
}

/** The feed that a source was found in. */
export const publisherOf = ({ shown }: Pick<Found, "shown">): string | null => shown?.feedUrl ?? null

type Standing =
  /** Nothing. */
  | "free"
  /** The result of this source, as it is wanted now. */
  | "done"
  /** The same, and somebody has changed it since: it stays as it is. */
  | "kept"
  /** A result of this source that is not up to date, and that nobody has touched since. */
  | "old"
  | Others

/** Where one format of one source goes. */
export interface Target {
  readonly format: ExportFormat
  readonly path: string
}

/** What is to be made for a source, and what is there already. */
interface Chosen {
  readonly targets: ReadonlyArray<Target>
  readonly present: ReadonlyArray<Target>
  /** One of those present was changed by somebody, or was never made here. */
  readonly others: Others | null
  /** What is present was changed by somebody, and is otherwise as it is wanted. */
  readonly isChanged: boolean
}

const MOST_NAMES = 1000

const isOthers = (found: Standing): found is Others =>
  found === "edited" || found === "foreign" || found === "unknown"

/** The memory of what was made, in a folder, beside what other runs are making. */
export const rememberMade = (folder: string, claims: Pick<Claims, "holder">) => {
  /** What is made in this run, also before it is there. */
  const claimed = new Map<string, string>()

  /** Between the look at a name and its claim nobody else looks. */
  const turns = Effect.unsafeMakeSemaphore(1)

  /** Some file systems know no case. */
  const claimOf = (path: string) => resolve(path).toLowerCase()

  const fileOf = (path: string) => join(folder, `${hashOf(resolve(path))}.json`)

  const recordOf = (path: string): Effect.Effect<Record | null> => readRecord(fileOf(path), Record)

  const look = Effect.fnUntraced(function* (path: string, { source, asked, publisher }: Origin) {
    const found = (state: Standing) => state
    const owner = claimed.get(claimOf(path))
    if (owner !== undefined && owner !== source) return found("foreign")
    const state = yield* stateOf(path)
    if (state === null) {
      const maker = yield* claims.holder(path)
      return found(maker === null || maker.source === source ? "free" : "foreign")
    }
    const record = yield* recordOf(path)
    if (record === null) return found("unknown")
    const isByOther = record.publisher !== undefined && record.publisher !== publisher
    if (record.source !== source || isByOther) return found("foreign")
    // Of a run that was killed it is not known how it left the file.
    const isChanged = record.made !== state && record.made !== ""
    if (record.asked === asked) return found(isChanged ? "kept" : "done")
    return found(record.made === state ? "old" : "edited")
  })

  /** Finds the name for the results of a source. Nothing that belongs to something else is ever among the targets. */
  const choose = Effect.fnUntraced(function* (
    place: Place,
    formats: ReadonlyArray<ExportFormat>,
    origin: Origin,
    mode: Mode,
  ) {
    for (let attempt = 0; attempt < MOST_NAMES; attempt++) {
      const looked = yield* Effect.forEach(formats, (format) => {
        const path = pathIn(place, attempt, format)
        return Effect.map(look(path, origin), (found) => ({ target: { format, path }, found }))
      })
      const isTaken = looked.some(
        ({ found }) => found === "foreign" || (found === "unknown" && !place.isOwn && mode !== "keep"),
      )
      if (isTaken) continue
      const isWanted = (found: Standing) =>
        mode === "force" || found === "free" || (mode === "update" && found === "old")
      const chosen: Chosen = {
        targets: looked.filter(({ found }) => isWanted(found)).map(({ target }) => target),
        present: looked.filter(({ found }) => !isWanted(found)).map(({ target }) => target),
        others: mode === "keep" ? null : (looked.map(({ found }) => found).find(isOthers) ?? null),
        isChanged: looked.some(({ found }) => found === "kept"),
      }
      const own = chosen.others !== null ? chosen.targets : [...chosen.targets, ...chosen.present]
      for (const { path } of own) claimed.set(claimOf(path), origin.source)
      return chosen
    }
    const none: Chosen = { targets: [], present: [], others: "unknown", isChanged: false }
    return none
  }, turns.withPermits(1))

  /** What keeps the one file that was named from being written; null: nothing does. */
  const keeping = Effect.fnUntraced(function* (path: string, origin: Origin, mode: Mode) {
    const kept = (found: "done" | "kept" | Others | null) => found
    if (mode === "force" || (yield* isStream(path))) return kept(null)
    const found = yield* look(path, origin)
    if (found === "free" || (found === "old" && mode === "update")) return kept(null)
    if (found === "kept") return kept("kept")
    if (found === "done" || mode === "keep" || found === "old") return kept("done")
    return kept((yield* holdsSomething(path)) ? found : null)
  })

  /** Told before a new file is written: killed right after that, the next run still knows whose it is. */
  const expect = Effect.fnUntraced(function* (path: string, origin: Origin) {
    if ((yield* stateOf(path)) === null) yield* writeRecord(fileOf(path), { ...origin, made: "" })
  })

  /** Not to be able to remember is no failure: the next run asks before it writes over anything. */
  const remember = Effect.fnUntraced(function* (path: string, origin: Origin) {
    const state = yield* stateOf(path)
    if (state === null) return
    const record: Record = { ...origin, made: state }
    yield* writeRecord(fileOf(path), record)
  })

  /** What a file was made from, while it is there, and whether it was changed since. */
  const own = Effect.fnUntraced(function* (path: string) {
    const state = yield* stateOf(path)
    const record = state === null ? null : yield* recordOf(path)
    if (record === null) return null
    const { source, asked, made, publisher } = record
    const origin: Origin = { source, asked, ...(publisher !== undefined && { publisher }) }
    return { origin, isChanged: made !== state }
  })

  return { choose, keeping, expect, remember, own }
}
