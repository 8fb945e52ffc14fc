/** A copy of the store in one file, and the store from such a copy. */
import { once } from "node:events"
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from "node:fs"
import { resolve } from "node:path"
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
  readonly file: string
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

/** Lines, compressed, into a file that nobody else may read. It has its name only once it is whole. */
const toFile = (file: string) =>
  Effect.gen(function* () {
    if (existsSync(file))
      return yield* refused("invalid_request", `${file} exists already. Choose another name, or remove it.`)
    const partial = `${file}.part`
    const { gzip, output } = yield* Effect.acquireRelease(
      Effect.try({
        try: () => {
          rmSync(partial, { force: true })
          const made = {
            gzip: createGzip(),
            output: createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true }),
          }
          made.gzip.on("error", () => {})
          made.output.on("error", (error) => made.gzip.destroy(error))
          made.gzip.pipe(made.output)
          return made
        },
        catch: unwritable(file),
      }),
      (made) =>
        Effect.sync(() => {
          made.gzip.destroy()
          made.output.destroy()
          rmSync(partial, { force: true })
        }),
    )
    const attempt = (work: () => Promise<unknown>) =>
      Effect.asVoid(Effect.tryPromise({ try: work, catch: unwritable(file) }))
    return {
      write: (line: string) =>
        attempt(async () => {
          if (gzip.errored !== null) throw gzip.errored
          if (!gzip.write(`${line}\n`)) await once(gzip, "drain")
        }),
      end: attempt(async () => {
        gzip.end()
        await finished(output)
        renameSync(partial, file)
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

/** Writes one moment of the store to a file. A service may go on meanwhile. */
export const backupStore = (settings: Settings, given: string) =>
  Effect.gen(function* () {
    const file = resolve(given)
    const { write, end } = yield* toFile(file)
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
