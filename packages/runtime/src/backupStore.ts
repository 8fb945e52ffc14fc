/** A copy of the store in one file, and the store from such a copy. */
import { once } from "node:events"
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from "node:fs"
import { resolve } from "node:path"
import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import { Ledger, refused, StoreKey } from "@earmark/service"
import { type Counts, checkBackup, RestoreRefused } from "@earmark/sql"
import { Context, Effect, Layer, Stream } from "effect"
import { database, databaseOf } from "./parts/database.js"
import { fileTrouble } from "./parts/dataFolder.js"
import { secretsKeyInPlace } from "./parts/secretsKey.js"
import { requireStore } from "./reachAdministration.js"
import type { Settings } from "./settings/Settings.js"
import { explainStart } from "./startFailure.js"

/** What was written or read. */
export interface BackedUp {
  /** Null for a stream. */
  readonly file: string | null
  readonly store: "postgres" | "embedded"
  /** Rows by table. */
  readonly rows: Counts
}

export interface Restored extends BackedUp {
  /** Whether every balance, hold and entry agrees. */
  readonly credits_agree: boolean
  /** Whether the secrets key of the store is where a start looks for it, and in which file that is: null without a data folder. */
  readonly secrets_key: { readonly in_place: boolean; readonly file: string | null }
}

const unwritable = (file: string) => (error: unknown) =>
  refused("unavailable", `${file} cannot be written: ${fileTrouble(error)}.`)

/** Where the compressed lines of a backup go. */
interface Target {
  /** As it is called where it cannot be written. */
  readonly name: string
  readonly open: () => Writable
  /** Called once all is handed over. */
  readonly keep: (output: Writable) => Promise<void>
  /** Takes away what is not whole. */
  readonly drop: (output: Writable) => void
}

/** A file that nobody else may read. It has its name only once it is whole. */
const toFile = (file: string): Target => {
  const partial = `${file}.part`
  return {
    name: file,
    open: () => {
      rmSync(partial, { force: true })
      return createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true })
    },
    keep: async (output) => {
      output.end()
      await finished(output)
      renameSync(partial, file)
    },
    drop: (output) => {
      output.destroy()
      rmSync(partial, { force: true })
    },
  }
}

/** A stream of the caller, which stays open. Whoever reads it sees by its end whether it is whole. */
const toStream = (output: Writable): Target => ({
  name: "The stream",
  open: () => output,
  keep: () =>
    new Promise((resolve, reject) => output.write("", (error) => (error ? reject(error) : resolve()))),
  drop: () => {},
})

const compressed = (target: Target) =>
  Effect.gen(function* () {
    const { gzip, output } = yield* Effect.acquireRelease(
      Effect.try({
        try: () => {
          const made = { gzip: createGzip(), output: target.open() }
          made.gzip.on("error", () => {})
          made.output.on("error", (error) => made.gzip.destroy(error))
          made.gzip.pipe(made.output, { end: false })
          return made
        },
        catch: unwritable(target.name),
      }),
      (made) =>
        Effect.sync(() => {
          made.gzip.destroy()
          target.drop(made.output)
        }),
    )
    const attempt = (work: () => Promise<unknown>) =>
      Effect.asVoid(Effect.tryPromise({ try: work, catch: unwritable(target.name) }))
    return {
      write: (line: string) =>
        attempt(async () => {
          if (gzip.errored !== null) throw gzip.errored
          if (!gzip.write(`${line}\n`)) await once(gzip, "drain")
        }),
      end: attempt(async () => {
        gzip.end()
        await finished(gzip)
        await target.keep(output)
      }),
    }
  })

const TORN = ["Z_DATA_ERROR", "Z_BUF_ERROR"]

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : null)

const unreadable = (file: string) => (error: unknown) => {
  const code = codeOf(error)
  if (code === "ENOENT") return refused("invalid_request", `There is no file ${file}.`)
  if (code === "Z_DATA_ERROR") return new RestoreRefused({ reason: "no_backup" })
  return TORN.includes(String(code))
    ? new RestoreRefused({ reason: "not_whole" })
    : refused("unavailable", `${file} cannot be read: ${fileTrouble(error)}.`)
}

const fromFile = (file: string) =>
  Stream.unwrapScoped(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => {
          const input = createReadStream(file)
          const gunzip = createGunzip()
          input.on("error", (error) => gunzip.destroy(error))
          return { input, gunzip: input.pipe(gunzip) }
        }),
        ({ input, gunzip }) =>
          Effect.sync(() => {
            input.destroy()
            gunzip.destroy()
          }),
      ),
      ({ gunzip }) =>
        Stream.fromAsyncIterable<Uint8Array, ReturnType<ReturnType<typeof unreadable>>>(
          gunzip,
          unreadable(file),
        ).pipe(Stream.decodeText(), Stream.splitLines),
    ),
  )

const told = Effect.mapError((failure: Parameters<typeof explainStart>[0] | RestoreRefused) =>
  failure._tag === "RestoreRefused" ? refused("invalid_request", failure.message) : explainStart(failure),
)

/** Writes one moment of the store to a file, or a stream. A service may go on meanwhile. */
export const backupStore = (settings: Settings, given: string | Writable) =>
  Effect.gen(function* () {
    const file = typeof given === "string" ? resolve(given) : null
    if (file !== null && existsSync(file))
      return yield* refused("invalid_request", `${file} exists already. Choose another name, or remove it.`)
    const target = typeof given === "string" ? toFile(resolve(given)) : toStream(given)
    const { write, end } = yield* compressed(target)
    const { store, backup } = yield* databaseOf(settings)
    const rows = yield* backup(write)
    yield* end
    const made: BackedUp = { file, store, rows }
    return made
  }).pipe(Effect.scoped, told, (work) => Effect.zipRight(requireStore(settings), work))

/** What a restored store is checked for. */
const checked = (settings: Settings, rows: Counts) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { file, id } = yield* secretsKeyInPlace(settings)
      const context = yield* Layer.build(database(settings))
      // Asked only where the store has a record of its key: else the claim would make one.
      const hasRecord = (rows.secrets_key ?? 0) > 0
      const fits = id !== null && (!hasRecord || (yield* Context.get(context, StoreKey).claim(id)) === id)
      const discrepancies = yield* Context.get(context, Ledger).verify
      return { credits_agree: discrepancies.length === 0, secrets_key: { in_place: fits, file } }
    }),
  )

/** Makes the store what it was when the file was written. It has to be empty. */
export const restoreStore = (settings: Settings, given: string) =>
  Effect.gen(function* () {
    const file = resolve(given)
    // A file that cannot be restored leaves no store behind.
    yield* checkBackup(fromFile(file))
    const { store, restore } = yield* databaseOf(settings)
    const rows = yield* restore(fromFile(file))
    const restored: Restored = { file, store, rows, ...(yield* checked(settings, rows)) }
    return restored
  }).pipe(Effect.scoped, told)
