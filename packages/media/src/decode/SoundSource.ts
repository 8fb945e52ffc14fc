import type { WorkFailed } from "@earmark/service"
import type { Effect } from "effect"

/** Sound at 16 kHz, as it is asked for. */
export interface SoundSource {
  readonly channels: number
  /** The next samples, of all channels in turn; null at the end. */
  readonly read: Effect.Effect<Int16Array | null, WorkFailed>
  /** Known at the end: whether whoever decoded it met no damage. */
  readonly isSound: () => boolean
  /** Known at the end: whether something inside may be missing. */
  readonly isDoubtful: () => boolean
}

/** What of the channels is heard: all as one voice (two stay two, to be mixed), each as it is, or one of them, counted from 0. */
export type ChannelChoice = "mixed" | "apart" | number

/** How many channels of so many come out. */
export const channelsOut = (choice: ChannelChoice, channels: number): number =>
  choice === "apart" ? channels : choice === "mixed" && channels === 2 ? 2 : 1

/** Bytes as they stand in files and pipes: two for each sample, the lower one first. They are not copied where that can be avoided. */
export const samplesOf = (bytes: Uint8Array): Int16Array => {
  if (bytes.byteOffset % 2 === 0) return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1)
  const samples = new Int16Array(bytes.length >> 1)
  new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.length * 2))
  return samples
}
