import { spawn } from "node:child_process"
import { type AudioWindow, TimeLimit, type WorkFailed } from "@earmark/service"
import { Deferred, Effect, Option, Schema, type Scope } from "effect"
import { crashed, rejected, unavailable } from "../failures.js"
import { bytesOf } from "../heard.js"
import { killGroup, plainEnvironment } from "../programs/startProgram.js"
import type { EngineProcess, RecognizeOptions } from "./EngineProcess.js"
import { FromChild } from "./messages.js"

export interface ForkOptions<Answer> {
  /** Names the engine in sentences. */
  readonly engine: string
  /** The text of the program: see `childProgram`. */
  readonly program: string
  /** What the engine is loaded with. */
  readonly settings: unknown
  /** Makes sense of what the engine answered about a window; null when it is no answer. */
  readonly read: (answer: unknown, window: AudioWindow) => Answer | null
}

const KEPT = 4_096

const STACK = /^\s*(?:\d+: |-----|at )/

/** Node ends with its version, and says before it what failed. */
const FAILURE = /^\s*\w*Error\b/

const lastSentence = (text: string): string => {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !STACK.test(line))
  return (lines.findLast((line) => FAILURE.test(line)) ?? lines.at(-1) ?? "").trim()
}

/** Libraries put a file, a line and a whole signature of C++ before what is the matter. */
const withoutPlace = (text: string): string =>
  (text.includes("onnxruntime::") ? text.slice(text.lastIndexOf(") ") + 1) : text).trim().replace(/\.$/, "")

const parse = Schema.decodeUnknownOption(FromChild)

/** Starts an engine in a Node process of its own and loads it. It dies with the scope, and by itself when this process dies. */
export const forkEngine = Effect.fn("forkEngine")(function* <Answer>({
  engine,
  program,
  settings,
  read,
}: ForkOptions<Answer>): Effect.fn.Return<EngineProcess<Answer>, WorkFailed, Scope.Scope> {
  const env = yield* plainEnvironment
  const gone = yield* Deferred.make<never, string>()
  const loaded = yield* Deferred.make<void, WorkFailed>()
  const waiting = new Map<number, Deferred.Deferred<unknown, WorkFailed>>()
  let residentBytes: number | null = null
  let said = ""

  const receive = (message: FromChild) => {
    if (message.type === "loaded") return Deferred.unsafeDone(loaded, Effect.void)
    if (message.type === "unloadable") {
      return Deferred.unsafeDone(
        loaded,
        Effect.fail(unavailable(`${engine} cannot load: ${withoutPlace(message.message)}`)),
      )
    }
    const answer = waiting.get(message.id)
    if (answer === undefined) return
    if (message.type === "failed") return Deferred.unsafeDone(answer, Effect.fail(rejected(message.message)))
    residentBytes = message.residentBytes
    return Deferred.unsafeDone(answer, Effect.succeed(message.answer))
  }

  const nonsense = crashed(`${engine} answered what is no answer.`)
  const refuse = () => {
    for (const answer of waiting.values()) Deferred.unsafeDone(answer, Effect.fail(nonsense))
  }

  const start = Effect.async<ReturnType<typeof spawn>, WorkFailed>((resume) => {
    const child = spawn(process.execPath, ["-e", program], {
      env,
      detached: true,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    })
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-KEPT)
    })
    child.on("message", (message) => Option.match(parse(message), { onNone: refuse, onSome: receive }))
    child.once("spawn", () => resume(Effect.succeed(child)))
    child.on("error", (error) =>
      resume(Effect.fail(unavailable(`${engine} cannot be started: ${error.message}.`))),
    )
    child.once("close", (code, signal) => {
      const why = lastSentence(said)
      Deferred.unsafeDone(
        gone,
        Effect.fail(`${engine} ended (${signal ?? `exit ${code}`})${why === "" ? "" : `: ${why}`}`),
      )
    })
  })
  const child = yield* Effect.acquireRelease(start, ({ pid }) =>
    Effect.zipRight(
      Effect.sync(() => pid !== undefined && killGroup(pid)),
      Effect.ignore(Deferred.await(gone)),
    ).pipe(TimeLimit.timeout("5 seconds"), Effect.ignore),
  )
  const end = (failing: (sentence: string) => WorkFailed) => Effect.mapError(Deferred.await(gone), failing)
  const send = (message: Record<string, unknown>) =>
    Effect.sync(() => {
      // A child that is gone is seen by its end.
      if (child.connected) child.send(message, () => {})
    })

  yield* send({ type: "load", settings })
  yield* Effect.raceFirst(Deferred.await(loaded), end(unavailable))

  let count = 0
  const recognize = Effect.fnUntraced(function* (window: AudioWindow, options: RecognizeOptions) {
    const id = ++count
    const answer = yield* Deferred.make<unknown, WorkFailed>()
    waiting.set(id, answer)
    yield* send({ type: "recognize", id, pcm: bytesOf(window.samples), options })
    const answered = yield* Effect.raceFirst(Deferred.await(answer), end(crashed)).pipe(
      Effect.ensuring(Effect.sync(() => waiting.delete(id))),
    )
    return read(answered, window) ?? (yield* nonsense)
  })

  return { recognize, residentBytes: Effect.sync(() => residentBytes) }
})
