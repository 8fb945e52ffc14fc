/** Which file was made from what: so that a second run knows what is done, and what is somebody else's. */
import { createHash } from "node:crypto"
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import type { ExportFormat } from "@earmark/core/captions"
import { Effect, Option, Schema } from "effect"
import { type Place, pathIn } from "./places.js"

const Record = Schema.Struct({
  source: Schema.String,
  /** The state of the source, and what was asked for: another one gives another result. */
  asked: Schema.String,
  /** The state of the file when it was made. */
  made: Schema.String,
})
type Record = typeof Record.Type

const readRecord = Schema.decodeUnknownOption(Schema.parseJson(Record))

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

/** What tells a file from itself later: null when there is none. */
export const stateOf = (path: string): Effect.Effect<string | null> =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map(({ size, mtimeMs }) => `${size} ${Math.floor(mtimeMs)}`),
    Effect.orElseSucceed(() => null),
  )

/** A source as its results remember it. */
export interface Origin {
  readonly source: string
  readonly asked: string
}

/** What is at the place of a result. */
type Found =
  /** Nothing. */
  | "free"
  /** The result of this source, as it is wanted now. */
  | "done"
  /** A result of this source that is not up to date, and that nobody has touched since. */
  | "old"
  /** A result of this source that somebody has changed since. */
  | "edited"
  /** The result of another source. */
  | "foreign"
  /** Nobody knows. */
  | "unknown"

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
  readonly isOthers: boolean
}

const MOST_NAMES = 1000

/** The memory of what was made, in a folder. */
export const rememberMade = (folder: string) => {
  /** What is made in this run, also before it is there. */
  const claimed = new Map<string, string>()

  const fileOf = (path: string) => join(folder, `${hashOf(resolve(path))}.json`)

  const recordOf = (path: string): Effect.Effect<Record | null> =>
    Effect.tryPromise(() => readFile(fileOf(path), "utf8")).pipe(
      Effect.map((text) => Option.getOrNull(readRecord(text))),
      Effect.orElseSucceed(() => null),
    )

  const look = Effect.fnUntraced(function* (path: string, { source, asked }: Origin) {
    const found = (state: Found) => state
    const owner = claimed.get(resolve(path))
    if (owner !== undefined && owner !== source) return found("foreign")
    const state = yield* stateOf(path)
    if (state === null) return found("free")
    const record = yield* recordOf(path)
    if (record === null) return found("unknown")
    if (record.source !== source) return found("foreign")
    if (record.asked === asked) return found("done")
    return found(record.made === state ? "old" : "edited")
  })

  /** Finds the name for the results of a source. Nothing that belongs to something else is ever among the targets. */
  const choose = Effect.fnUntraced(function* (
    place: Place,
    formats: ReadonlyArray<ExportFormat>,
    origin: Origin,
    force: boolean,
  ) {
    for (let attempt = 0; attempt < MOST_NAMES; attempt++) {
      const looked = yield* Effect.forEach(formats, (format) => {
        const path = pathIn(place, attempt, format)
        return Effect.map(look(path, origin), (found) => ({ target: { format, path }, found }))
      })
      const isTaken = looked.some(({ found }) => found === "foreign" || (found === "unknown" && !place.isOwn))
      if (isTaken) continue
      const isWanted = (found: Found) => force || found === "free" || found === "old"
      const chosen: Chosen = {
        targets: looked.filter(({ found }) => isWanted(found)).map(({ target }) => target),
        present: looked.filter(({ found }) => !isWanted(found)).map(({ target }) => target),
        isOthers: looked.some(({ found }) => found === "unknown" || found === "edited"),
      }
      for (const { path } of chosen.targets) claimed.set(resolve(path), origin.source)
      return chosen
    }
    const none: Chosen = { targets: [], present: [], isOthers: true }
    return none
  })

  /** Whether the file that was named is what would be made now. */
  const isDone = (path: string, origin: Origin): Effect.Effect<boolean> =>
    Effect.map(look(path, origin), (found) => found === "done")

  /** Not to be able to remember is no failure: the next run asks before it writes over anything. */
  const remember = Effect.fnUntraced(function* (path: string, origin: Origin) {
    const state = yield* stateOf(path)
    if (state === null) return
    const record: Record = { ...origin, made: state }
    const file = fileOf(path)
    yield* Effect.tryPromise(async () => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await writeFile(`${file}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 })
      await rename(`${file}.new`, file)
    }).pipe(Effect.ignore)
  })

  return { choose, isDone, remember }
}
