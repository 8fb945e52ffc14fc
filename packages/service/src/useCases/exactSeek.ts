import { endOfId3, isSteadyMp3 } from "@earmark/core/audio"
import { type ContainerFormat, SNIFFED_BYTES, sniff } from "@earmark/core/links"
import { Effect } from "effect"

/** What browsers play from any moment, to within a tenth of a second. */
const EXACT: ReadonlyArray<ContainerFormat> = ["wav", "m4a", "mp4", "mov", "ogg"]

/** How much of an MP3 is looked at in each place: 16 frames of the largest size, and one more to find them. */
const LOOK = 32 * 1024

/**
 * Whether a browser that is told to play from a moment begins there. MP3 of varying bitrate, raw AAC and others have no index: browsers
 * guess, and are seconds off.
 */
export const hasExactSeek = <E>(
  bytes: number,
  read: (from: number, to: number) => Effect.Effect<Uint8Array, E>,
): Effect.Effect<boolean, E> =>
  Effect.gen(function* () {
    const head = yield* read(0, Math.min(bytes, SNIFFED_BYTES))
    const sniffed = sniff(head)
    if (sniffed.kind !== "media") return false
    if (sniffed.format !== "mp3") return EXACT.includes(sniffed.format)
    const start = endOfId3(head)
    if (start >= bytes) return false
    const places = [start, Math.floor((start + bytes) / 2), Math.max(start, bytes - 2 * LOOK)]
    const parts = yield* Effect.forEach(places, (from) => read(from, Math.min(bytes, from + LOOK)))
    return isSteadyMp3(parts)
  })
