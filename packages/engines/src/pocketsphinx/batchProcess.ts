import { execFile } from "node:child_process"
import { constants } from "node:fs"
import { type FileHandle, open, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { AudioWindow, WorkFailed } from "@earmark/service"
import { Deferred, Effect, type Scope } from "effect"
import { crashed, unavailable } from "../failures.js"
import { bytesOf, type Heard, nothingHeard } from "../heard.js"
import type { EngineProcess } from "../pool/EngineProcess.js"
import { residentBytes } from "../programs/residentBytes.js"
import { scratchFolder } from "../programs/scratchFolder.js"
import { type Program, startProgram } from "../programs/startProgram.js"
import { readCtm } from "./readCtm.js"

export interface BatchSettings {
  readonly command: string
  /** The folder with en-us, en-us.lm.bin and cmudict-en-us.dict. */
  readonly model: string
  readonly quality: "fast" | "accurate"
}

// Silence must stay in: without it every later word would come too early.
const ALWAYS = ["-adcin", "yes", "-cepext", ".raw", "-remove_silence", "no"]
const FLAGS = { fast: ["-maxhmmpf", "5000", "-fwdflat", "no"], accurate: [] }

/** The log line that ends an utterance; its words are written by then. */
const FINISHED = /: (w\d+): [\d.]+ seconds speech/
const NOT_READY = "pocketsphinx_batch did not start"

const fifoAt = (path: string): Effect.Effect<void, WorkFailed> =>
  Effect.async((resume) => {
    execFile("mkfifo", ["-m", "600", path], (error) =>
      resume(
        error === null ? Effect.void : Effect.fail(unavailable(`No pipe can be made: ${error.message}.`)),
      ),
    )
  })

const openFile = (path: string, flags: number) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => open(path, flags),
      catch: (error) => unavailable(`${path} cannot be opened: ${String(error)}.`),
    }),
    (file) => Effect.promise(() => file.close().catch(() => undefined)),
  )

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? ""

/** What it said at the end: the line of the fault where there is one. */
const reasonOf = (program: Program): string => {
  const lines = program.lastWords().split("\n")
  return lines.findLast((line) => /^(?:FATAL|ERROR)/.test(line)) ?? lastLine(program.lastWords())
}

const endOf = (program: Program, failing: (sentence: string) => WorkFailed) =>
  Effect.flatMap(program.ended, ({ code, signal }) =>
    Effect.fail(failing(`pocketsphinx_batch ended (${signal ?? `exit ${code}`}): ${reasonOf(program)}`)),
  )

const CHUNK = 65_536

const readOn = async (file: FileHandle, from: number): Promise<string> => {
  const chunks: Array<Buffer> = []
  for (let at = from; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, at)
    if (bytesRead === 0) return Buffer.concat(chunks).toString("utf8")
    chunks.push(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
}

/**
 * A `pocketsphinx_batch` that stays: its list of utterances is a pipe, so that a window costs no start of the program.
 * Utterances do not know of each other (the model normalises each by itself), so the order of windows makes no difference.
 */
export const startBatch = Effect.fn("PocketSphinx.start")(function* ({
  command,
  model,
  quality,
}: BatchSettings): Effect.fn.Return<EngineProcess, WorkFailed, Scope.Scope> {
  const folder = yield* scratchFolder("pocketsphinx")
  const list = join(folder, "list")
  const words = join(folder, "words.ctm")
  yield* fifoAt(list)
  // Opened for both ways: a pipe that is opened for writing alone waits for its reader.
  const utterances = yield* openFile(list, constants.O_RDWR)
  const written = yield* openFile(words, constants.O_RDWR | constants.O_CREAT)
  const waiting = new Map<string, Deferred.Deferred<void>>()
  const program = yield* startProgram(
    command,
    [
      ...["-hmm", join(model, "en-us"), "-lm", join(model, "en-us.lm.bin")],
      ...["-dict", join(model, "cmudict-en-us.dict")],
      ...["-ctl", list, "-cepdir", folder, "-ctm", words],
      ...ALWAYS,
      ...FLAGS[quality],
    ],
    {
      onError: (line) => {
        const finished = waiting.get(FINISHED.exec(line)?.[1] ?? "")
        if (finished !== undefined) Deferred.unsafeDone(finished, Effect.void)
      },
    },
  ).pipe(Effect.mapError(({ message }) => unavailable(message)))

  let count = 0
  let read = 0

  const hear = Effect.fnUntraced(function* (samples: Int16Array) {
    const id = `w${++count}`
    const file = join(folder, `${id}.raw`)
    const io = <A>(work: () => Promise<A>) =>
      Effect.tryPromise({
        try: work,
        catch: (error) => crashed(`A window could not be handed over: ${String(error)}.`),
      })
    const finished = yield* Deferred.make<void>()
    waiting.set(id, finished)
    yield* io(() => writeFile(file, bytesOf(samples)))
    yield* io(() => utterances.write(`${id}\n`))
    yield* Deferred.await(finished)
    waiting.delete(id)
    const text = yield* io(() => readOn(written, read))
    read += Buffer.byteLength(text)
    yield* io(() => rm(file, { force: true }))
    return readCtm(text)
  })

  // An utterance of nothing: once it is over, the model is loaded.
  yield* Effect.raceFirst(
    hear(new Int16Array(0)),
    endOf(program, (sentence) => unavailable(`${NOT_READY}: ${sentence}`)),
  )

  const recognize = (window: AudioWindow): Effect.Effect<Heard, WorkFailed> =>
    Effect.map(Effect.raceFirst(hear(window.samples), endOf(program, crashed)), (found) => ({
      ...nothingHeard,
      words: found,
    }))

  return { recognize, residentBytes: residentBytes(program.pid) }
})
