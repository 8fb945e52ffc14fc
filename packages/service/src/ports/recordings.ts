import { createHash } from "node:crypto"
import { makeMediaRef } from "@earmark/core/wire"
import type { StoredJob } from "./records.js"

/** What a worker keeps of the sound of a job, for players. */
export type RecordingPart = "copy" | "waveform"

const TYPES = { copy: "audio/mp4", waveform: "application/octet-stream" } as const

/**
 * The key of a part of the recording of a job: always the same, so that nothing has to remember it. It has the shape of the key of an
 * upload, is entered among the uploads of the account, and is swept like one.
 */
export const recordingRef = ({ account, id }: Pick<StoredJob, "account" | "id">, part: RecordingPart) => {
  const hex = createHash("sha256").update(`${part} of ${id}`).digest("hex")
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)]
  return { key: makeMediaRef(account, uuid.join("-"), TYPES[part]), contentType: TYPES[part] }
}

/** Every object that is there for a job, and goes with it where no other job needs it. */
export const objectsOf = (job: Pick<StoredJob, "account" | "id" | "source">): ReadonlyArray<string> => [
  ...(job.source.shown.mediaRef === undefined ? [] : [job.source.shown.mediaRef]),
  recordingRef(job, "copy").key,
  recordingRef(job, "waveform").key,
]
