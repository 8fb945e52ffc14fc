import { derivedRef } from "./objectKey.js"
import type { StoredJob } from "./records.js"

/** What a worker keeps of the sound of a job, for players. */
export type RecordingPart = "copy" | "waveform"

const TYPES = { copy: "audio/mp4", waveform: "application/octet-stream" } as const

/** The key of a part of the recording of a job. What is kept is entered among the uploads of the account, and swept like one. */
export const recordingRef = ({ account, id }: Pick<StoredJob, "account" | "id">, part: RecordingPart) => ({
  key: derivedRef(account, `${part} of ${id}`, TYPES[part]),
  contentType: TYPES[part],
})

/** Every object that is there for a job, and goes with it where no other job needs it. */
export const objectsOf = (job: Pick<StoredJob, "account" | "id" | "source">): ReadonlyArray<string> => [
  ...(job.source.shown.mediaRef === undefined ? [] : [job.source.shown.mediaRef]),
  recordingRef(job, "copy").key,
  recordingRef(job, "waveform").key,
]
