import { type AccountId, DoneJob, type JobId } from "@earmark/core/jobs"
import { type CreateTranscription, decodeCreate, decodeRequest, UploadRequest } from "@earmark/core/wire"
import { Effect, Schema, Stream } from "effect"
import { Following } from "../useCases/Following.js"
import { Transcriptions } from "../useCases/Transcriptions.js"
import { Uploads } from "../useCases/Uploads.js"
import { accountOf, type Door, type Wire } from "./door.js"
import { type MediaFacts, type MediaInput, openInput } from "./mediaInput.js"
import { TranscriptionFailed } from "./TranscriptionFailed.js"

const bring = Effect.fnUntraced(function* (account: string, input: MediaInput, facts: MediaFacts) {
  const owner = yield* accountOf(account)
  const uploads = yield* Uploads
  const { announced, body } = yield* openInput(input, facts)
  const { mediaRef } = yield* uploads.bring(owner, yield* decodeRequest(UploadRequest)(announced), body)
  return { media_ref: mediaRef, bytes: announced.bytes }
})

/** Takes media in, in constant memory. `media_ref` goes to `transcriptions.create`. */
export const addMedia =
  ({ run }: Door) =>
  (account: string, input: MediaInput, facts: MediaFacts = {}) =>
    run(bring(account, input, facts))

type Source = "url" | "media_ref" | "blob_url" | "episode_guid" | "episode_index"

/** The job once it has ended, however often it was retried meanwhile. */
const ended = Effect.fnUntraced(function* (owner: AccountId, id: JobId) {
  const transcriptions = yield* Transcriptions
  const following = yield* Following
  for (;;) {
    yield* Stream.runDrain((yield* following.follow(owner, id, null)) ?? Stream.empty)
    const job = yield* transcriptions.get(owner, id)
    if (job.status !== "queued") return job
  }
})

/** From a file of yours to text: takes it in, makes the job, and waits for its end. Rejects with `TranscriptionFailed` where it fails. */
export const transcribeFile =
  ({ runLong }: Door) =>
  (
    account: string,
    input: MediaInput,
    wanted: Omit<Wire<typeof CreateTranscription>, Source> = {},
    facts: MediaFacts = {},
  ) =>
    runLong(
      Effect.gen(function* () {
        const transcriptions = yield* Transcriptions
        const owner = yield* accountOf(account)
        const { media_ref } = yield* bring(account, input, facts)
        const { answer } = yield* transcriptions.create(owner, yield* decodeCreate({ ...wanted, media_ref }))
        const job = yield* ended(owner, answer.id)
        if (job.status === "done") return Schema.encodeSync(DoneJob)(job)
        return yield* new TranscriptionFailed({ id: job.id, code: job.failure.code, detail: job.error })
      }),
    )
