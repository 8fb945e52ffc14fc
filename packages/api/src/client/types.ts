/** Names for what the client answers, beside those of the wire. */
import type { CreditsChange, EndUpdate, JobChange, ProgressUpdate, SegmentUpdate } from "@earmark/core/wire"
import type { DoneTranscription, FailedTranscription, Operations } from "./wire.js"

/** A transcription in whatever state: `status` tells which. */
export type Transcription = Operations["transcriptions.get"]["answer"]

/** What creation answers. */
export type Acknowledgement = Operations["transcriptions.create"]["answer"]

export type EndedTranscription = DoneTranscription | FailedTranscription

/** What happens to a transcription while it runs. */
export type TranscriptionEvent =
  | {
      readonly type: "progress"
      readonly id: string | undefined
      readonly data: typeof ProgressUpdate.Encoded
    }
  | {
      readonly type: "segment"
      readonly id: string | undefined
      readonly data: typeof SegmentUpdate.Encoded
    }
  | {
      readonly type: "done" | "failed"
      readonly id: string | undefined
      readonly data: typeof EndUpdate.Encoded
    }

/** What happens in an account. `missed`: more has changed than is sent one by one, so read the lists again. */
export type AccountEvent =
  | {
      readonly type: "job"
      readonly id: string | undefined
      readonly data: typeof JobChange.Encoded
    }
  | {
      readonly type: "credits"
      readonly id: string | undefined
      readonly data: typeof CreditsChange.Encoded
    }
  | {
      readonly type: "missed"
      readonly id: string | undefined
      readonly data: Readonly<Record<never, never>>
    }
