import { createHash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import { readWavHeader } from "@earmark/core/audio"
import { SNIFFED_BYTES, sniff } from "@earmark/core/links"
import { Effect, Either } from "effect"
import { machineFailed } from "../obtain/scratch.js"
import { refuse } from "./failures.js"
import { openForReading, readAt } from "./files.js"
import { isIsoMedia, signsOfSound } from "./isoMedia.js"

/** What the bytes of a file say without any program. */
interface Inspected {
  /** Of all bytes of the file. */
  readonly fingerprint: string
  readonly bytes: number
  /** A WAV file that is read without a program. */
  readonly isPlainWav: boolean
  /** A WAV file announces more sound than it holds. */
  readonly isCut: boolean
}

const HEAD = 1024 * 1024
const PART = 1024 * 1024

const WHAT: Readonly<Record<string, string>> = {
  page: "a web page",
  feed: "a feed or a data file, not a recording; of a feed, say which episodes you want",
  playlist: "a playlist, which only names media",
  captions: "a file of captions",
  image: "a picture",
  document: "a document",
  archive: "an archive; unpack it and use what is inside",
  gzip: "an archive; unpack it and use what is inside",
  torrent: "a torrent",
  text: "text",
}

/** Of all bytes of a file. */
export const fingerprintOf = Effect.fnUntraced(function* (file: FileHandle) {
  const hash = createHash("sha256")
  for (let at = 0; ; ) {
    const part = yield* readAt(file, at, PART)
    if (part.length === 0) return hash.digest("hex")
    hash.update(part)
    at += part.length
  }
})

/** What the first bytes and the index of a file say. What is no media, and what is locked, is refused. */
export const recognize = Effect.fnUntraced(function* (file: FileHandle) {
  const { size } = yield* Effect.tryPromise({ try: () => file.stat(), catch: machineFailed })
  if (size === 0) return yield* refuse("empty_media", "The file is empty; fetch it again.")
  const head = yield* readAt(file, 0, Math.min(HEAD, size))
  const sniffed = sniff(head.subarray(0, SNIFFED_BYTES))
  const what = WHAT[sniffed.kind]
  if (what !== undefined)
    return yield* refuse(
      "unsupported_media",
      `The file is ${what}${what.includes(";") ? "" : ", and no recording; check that it is the right one"}.`,
    )
  const format = sniffed.kind === "media" ? sniffed.format : null
  const signs = format !== null && isIsoMedia(format) ? yield* signsOfSound(file, size) : null
  if (signs?.has("locked") === true) {
    return yield* refuse("unsupported_media", "The file is encrypted; use a copy without protection.")
  }
  // Of other containers the list of tracks tells, or they hold nothing else.
  return { size, head, format, lacksSound: signs?.has("sound") === false }
})

/** Looks at the bytes of a file before any program does. What is no media never reaches one. */
export const inspect = Effect.fnUntraced(function* (path: string) {
  const file = yield* openForReading(path)
  const { size, head, format } = yield* recognize(file)
  const wav = format === "wav" ? readWavHeader(head) : null
  const isCut =
    wav !== null &&
    Either.isRight(wav) &&
    wav.right.dataBytes !== null &&
    wav.right.dataStart + wav.right.dataBytes > size
  const fingerprint = yield* fingerprintOf(file)
  const inspected: Inspected = {
    fingerprint,
    bytes: size,
    isPlainWav: wav !== null && Either.isRight(wav),
    isCut,
  }
  return inspected
}, Effect.scoped)
