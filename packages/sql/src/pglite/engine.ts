import { createRequire } from "node:module"
import { Worker } from "node:worker_threads"
import { Effect } from "effect"
import { type DatabaseFailure, databaseFailure } from "../database/DatabaseFailure.js"

/** Something that takes messages of the Postgres protocol and answers them. */
export interface Engine {
  readonly exchange: (bytes: Uint8Array) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

const here = async (directory: string | undefined): Promise<Engine> => {
  const { PGlite } = await import("@electric-sql/pglite")
  const database = await PGlite.create(directory === undefined ? {} : { dataDir: directory })
  return { exchange: (bytes) => database.execProtocolRaw(bytes), close: () => database.close() }
}

// Runs as it is, whatever bundler or test runner this file went through: it loads the package by its path.
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads")
const { PGlite } = require(workerData.module)
const answer = (id, work) => work.then(
  (bytes) => {
    const copy = bytes === undefined ? undefined : Uint8Array.from(bytes)
    parentPort.postMessage({ id, bytes: copy }, copy === undefined ? [] : [copy.buffer])
  },
  (error) => parentPort.postMessage({ id, error: String(error) }),
)
const opened = PGlite.create({ dataDir: workerData.directory })
answer(0, opened.then(() => undefined))
parentPort.on("message", ({ id, bytes }) => {
  answer(id, opened.then((database) => bytes === undefined ? database.close() : database.execProtocolRaw(bytes)))
})
`

interface Answer {
  readonly id: number
  readonly bytes?: Uint8Array
  readonly error?: string
}

interface Asker {
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: Error) => void
}

/** The engine in a thread of its own: whatever it computes, this thread goes on. */
const elsewhere = async (directory: string): Promise<Engine> => {
  const module = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  const worker = new Worker(PROGRAM, { eval: true, workerData: { module, directory } })
  const asked = new Map<number, Asker>()
  let last = 0

  const ask = (bytes?: Uint8Array, id = ++last) =>
    new Promise<Uint8Array>((resolve, reject) => {
      asked.set(id, { resolve, reject })
      if (id === 0) return
      // A copy, since the memory of the message moves over.
      const copy = bytes === undefined ? undefined : Uint8Array.from(bytes)
      worker.postMessage({ id, bytes: copy }, copy === undefined ? [] : [copy.buffer])
    })
  const failAll = (error: Error) => {
    for (const { reject } of asked.values()) reject(error)
    asked.clear()
  }
  worker.on("message", ({ id, bytes = new Uint8Array(), error }: Answer) => {
    const asker = asked.get(id)
    asked.delete(id)
    if (error === undefined) asker?.resolve(bytes)
    else asker?.reject(new Error(error))
  })
  worker.on("error", failAll)
  worker.on("exit", () => failAll(new Error("the thread of the database ended")))

  await ask(undefined, 0)
  return {
    exchange: (bytes) => ask(bytes),
    close: async () => {
      await ask()
      await worker.terminate()
    },
  }
}

/** Opens the embedded database: in memory here, in a directory in a thread of its own (unless told otherwise). */
export const openEngine = (
  directory: string | undefined,
  { thread }: { readonly thread: boolean },
): Effect.Effect<Engine, DatabaseFailure> =>
  Effect.tryPromise({
    try: () => (directory === undefined || !thread ? here(directory) : elsewhere(directory)),
    catch: databaseFailure,
  })
