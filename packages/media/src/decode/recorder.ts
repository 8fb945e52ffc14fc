import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { makePeakMeter } from "@earmark/core/audio"
import { type CopyRule, hasExactSeek, type Recording, type WorkFailed } from "@earmark/service"
import { Effect, type Scope, Stream } from "effect"
import { machineFailed, scratchFolder } from "../obtain/scratch.js"
import { openForReading, readAt } from "./files.js"
import { COPY_ENCODER, encoderArguments } from "./hardening.js"
import { readAll, runProgram } from "./Program.js"
import type { SoundSource } from "./SoundSource.js"

/** Makes the recording of media for players, while their sound is decoded for another purpose. */
export interface Recorder {
  /** Where a copy is to be written; undefined where none is wanted. */
  readonly copy: string | undefined
  readonly isDone: () => boolean
  /** The same sound, whose waveform is drawn as it is read. */
  readonly tap: (sound: SoundSource) => SoundSource
  readonly recording: Effect.Effect<Recording | null>
}

const ANSWER = 1024 * 1024

/** Whether the program can make copies. Without an encoder it would refuse to decode, too. */
export const hasEncoder = (ffmpeg: string | null): Effect.Effect<boolean> =>
  ffmpeg === null
    ? Effect.succeed(false)
    : runProgram(ffmpeg, encoderArguments).pipe(
        Effect.flatMap((program) => readAll(program, ANSWER)),
        Effect.map((answer) => answer?.bytes.includes(`Encoder ${COPY_ENCODER} `) === true),
        Effect.scoped,
        Effect.orElseSucceed(() => false),
      )

const isWanted = (path: string, bytes: number, rule: CopyRule) =>
  Effect.gen(function* () {
    if (rule !== "inexact") return rule === "always"
    const file = yield* openForReading(path)
    const isExact = yield* hasExactSeek(bytes, (from, to) => readAt(file, from, to - from))
    return !isExact
  }).pipe(Effect.scoped)

const copyAt = (path: string): Effect.Effect<Recording["copy"]> =>
  Effect.tryPromise({ try: () => stat(path), catch: machineFailed }).pipe(
    Effect.map(({ size }) => ({
      bytes: size,
      read: Stream.suspend(() =>
        Stream.fromAsyncIterable<Uint8Array, WorkFailed>(createReadStream(path), machineFailed),
      ),
    })),
    Effect.orElseSucceed(() => null),
  )

/** A recorder of a file that was looked at. What it writes goes with the scope. */
export const makeRecorder = (
  path: string,
  bytes: number,
  rule: CopyRule,
  canCopy: Effect.Effect<boolean>,
): Effect.Effect<Recorder, WorkFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const hasCopy = (yield* isWanted(path, bytes, rule)) && (yield* canCopy)
    const copy = hasCopy ? join(yield* scratchFolder, "copy") : undefined
    let waveform: Uint8Array | null = null

    const tap = (sound: SoundSource): SoundSource => {
      const meter = makePeakMeter(sound.channels)
      const read = Effect.map(sound.read, (samples) => {
        if (samples === null) waveform = meter.finish()
        else meter.push(samples)
        return samples
      })
      return { ...sound, read }
    }

    const recording = Effect.suspend(() =>
      waveform === null
        ? Effect.succeed(null)
        : Effect.map(
            copy === undefined ? Effect.succeed(null) : copyAt(copy),
            (made): Recording => ({ waveform: waveform ?? new Uint8Array(0), copy: made }),
          ),
    )
    const recorder: Recorder = { copy, isDone: () => waveform !== null, tap, recording }
    return recorder
  })
