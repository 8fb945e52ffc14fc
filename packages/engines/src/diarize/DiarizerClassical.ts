import { closeSync, openSync, readSync, writeSync } from "node:fs"
import { join } from "node:path"
import { FEATURES, featuresOf, type HeardSound, type SoundBlock, speakerSteps } from "@earmark/core/speakers"
import { type AudioWindow, Diarizer, inSlices, type SpeakerListener, type WorkFailed } from "@earmark/service"
import { Effect, Layer, type Scope } from "effect"
import { rejected } from "../failures.js"
import { scratchFolder } from "../programs/scratchFolder.js"

/** As much sound as is worked on at once. */
const BLOCK_MILLISECONDS = 600_000

/** The places of the features of a window in the file. */
interface Place {
  readonly start: number
  readonly frames: number
}

const attempt = <A>(what: () => A): Effect.Effect<A, WorkFailed> =>
  Effect.try({
    try: what,
    catch: (error) => rejected(`The scratch file of the speakers failed: ${String(error)}.`),
  })

/** Blocks of features: the one that grows in memory, those before it in a file. */
const makeBlocks = Effect.gen(function* () {
  const folder = yield* scratchFolder("speakers")
  const file = yield* Effect.acquireRelease(
    attempt(() => openSync(join(folder, "features"), "wx+", 0o600)),
    (opened) => Effect.sync(() => closeSync(opened)),
  )
  const written: Array<SoundBlock> = []
  let current: Array<HeardSound> = []
  let length = 0
  let end = 0

  const write = (values: Float32Array) => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    for (let done = 0; done < bytes.length; )
      done += writeSync(file, bytes, done, bytes.length - done, end + done)
    end += bytes.length
  }

  /** Reads until the array is full: the file was written by this process and is as long as it should be. */
  const fill = (values: Float32Array, from: number) => {
    const bytes = new Uint8Array(values.buffer)
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(file, bytes, done, bytes.length - done, from + done)
      if (count === 0) throw new Error("the file is shorter than what was written to it")
      done += count
    }
  }

  const close = () => {
    const from = end
    const places: ReadonlyArray<Place> = current.map(({ start, features }) => ({
      start,
      frames: features.frames,
    }))
    for (const { features } of current) {
      write(features.values)
      write(features.loudness)
    }
    written.push(() => {
      let at = from
      return places.map(({ start, frames }) => {
        const values = new Float32Array(frames * FEATURES)
        const loudness = new Float32Array(frames)
        fill(values, at)
        fill(loudness, at + values.byteLength)
        at += values.byteLength + loudness.byteLength
        return { start, features: { frames, values, loudness } }
      })
    })
    current = []
    length = 0
  }

  const add = ({ start, end: stop, samples }: AudioWindow) =>
    attempt(() => {
      current.push({ start, features: featuresOf(samples) })
      length += stop - start
      if (length >= BLOCK_MILLISECONDS) close()
    })
  const all = Effect.sync((): ReadonlyArray<SoundBlock> => {
    const last = current
    return last.length === 0 ? written : [...written, () => last]
  })
  return { add, all }
})

const open = Effect.fnUntraced(function* (
  range: Parameters<Diarizer["Type"]["open"]>[0],
): Effect.fn.Return<SpeakerListener, WorkFailed, Scope.Scope> {
  const { add, all } = yield* makeBlocks
  const turns = Effect.flatMap(all, (blocks) => inSlices(speakerSteps(blocks, range), attempt))
  return { hear: add, turns }
})

/** Tells speakers apart by the sound of their voices: no model, no other process, constant memory over hours. */
export const layer = Layer.succeed(Diarizer, { id: "classical-3", open })
