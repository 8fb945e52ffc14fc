import { PEAKS_PER_SECOND, peaksTo } from "@earmark/core/audio"
import { AccountId, JobExpired, JobNotFound, parseId } from "@earmark/core/jobs"
import { type SignedAddressInvalid, signExportLink, verifyExportLink } from "@earmark/core/signing"
import { MEDIA_LINK_SECONDS, type MediaLink, type WaveformQuery } from "@earmark/core/wire"
import { Clock, Context, DateTime, Effect, Layer, Redacted, Stream } from "effect"
import { recordingRef } from "../ports/recordings.js"
import type { StoredJob } from "../ports/records.js"
import type { StorageError } from "../ports/StorageError.js"
import { StoreSettings } from "../ports/StoreSettings.js"
import { type ObjectMissing, ObjectStore } from "../ports/Uploads.js"
import { hasExactSeek } from "./exactSeek.js"
import { isOver, makeFinding, type Unreadable } from "./finding.js"
import { RecordingNotKept } from "./refusals.js"
import { Secrets } from "./Secrets.js"

type Refused = RecordingNotKept | Unreadable

/** A recording at its address, and a way to read any part of it. */
export interface OpenedRecording {
  readonly contentType: string
  readonly bytes: number
  readonly etag: string
  /** The bytes from `from` up to, not including, `to`. */
  readonly read: (from: number, to: number) => Stream.Stream<Uint8Array, ObjectMissing | StorageError>
}

/** The parts of an address: which file of a job it is for. */
type Kept = "copy" | "upload"

const isKept = (text: string): text is Kept => text === "copy" || text === "upload"

/** The recordings of transcriptions, for players. */
export class Recordings extends Context.Tag("@earmark/service/Recordings")<
  Recordings,
  {
    /** A signed address of the recording, good for six hours: the listening copy where there is one, else the upload. */
    readonly link: (account: AccountId, id: string) => Effect.Effect<MediaLink, Refused>
    /** The greatest sample of each part of the recording, 0 to 255, one byte a point. */
    readonly waveform: (
      account: AccountId,
      id: string,
      query: WaveformQuery,
    ) => Effect.Effect<Uint8Array, Refused>
    /** The recording at an address (path and query, exactly as given out). It goes with its transcription. */
    readonly open: (address: string) => Effect.Effect<OpenedRecording, SignedAddressInvalid | Refused>
  }
>() {
  static readonly layer = Layer.effect(
    Recordings,
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const secrets = yield* Secrets
      const { baseUrl } = yield* StoreSettings
      const { find } = yield* makeFinding
      const key = () => Redacted.value(secrets.keys).exportLinks

      const keptJob = Effect.fnUntraced(function* (account: AccountId, id: string) {
        const job = yield* find(account, id)
        const isGone = job.state.status !== "queued" && job.state.expired
        if (isGone || isOver(job, yield* Clock.currentTimeMillis))
          return yield* new JobExpired({ id: job.id })
        return job
      })

      const keyOf = (job: StoredJob, kept: Kept): string | undefined =>
        kept === "copy" ? recordingRef(job, "copy").key : job.source.shown.mediaRef

      const headOf = Effect.fnUntraced(function* (job: StoredJob, kept: Kept) {
        const place = keyOf(job, kept)
        const object = place === undefined ? null : yield* objects.head(place)
        return place === undefined || object === null || object.bytes === 0
          ? null
          : { ...object, key: place, kept }
      })

      const readBytes = (place: string) => (from: number, to: number) =>
        Effect.map(Stream.runCollect(objects.read(place, { from, to })), (parts) => Buffer.concat([...parts]))

      /** A copy was made to be played from any moment. */
      const exactSeek = (found: { readonly key: string; readonly kept: Kept; readonly bytes: number }) =>
        found.kept === "copy"
          ? Effect.succeed(true)
          : Effect.catchTag(hasExactSeek(found.bytes, readBytes(found.key)), "ObjectMissing", () =>
              Effect.fail(new RecordingNotKept({ part: "sound" })),
            )

      const addressOf = Effect.fnUntraced(function* (
        { account, id }: StoredJob,
        found: { readonly key: string; readonly kept: Kept; readonly contentType: string },
        now: number,
      ) {
        const direct = yield* objects.presignGet?.(found, MEDIA_LINK_SECONDS) ?? Effect.succeed(null)
        const { address, expiresAt } = signExportLink({
          key: key(),
          address: `/media/${account}/${id}/${found.kept}`,
          now,
          lifetimeSeconds: MEDIA_LINK_SECONDS,
        })
        return { url: direct ?? `${baseUrl.replace(/\/$/, "")}${address}`, expiresAt }
      })

      const link = Effect.fn("Recordings.link")(function* (account: AccountId, id: string) {
        const job = yield* keptJob(account, id)
        const found = (yield* headOf(job, "copy")) ?? (yield* headOf(job, "upload"))
        if (found === null) return yield* new RecordingNotKept({ part: "sound" })
        const { url, expiresAt } = yield* addressOf(job, found, (yield* Clock.currentTimeMillis) / 1000)
        const made: MediaLink = {
          url,
          contentType: found.contentType,
          bytes: found.bytes,
          durationSeconds: job.durationSeconds,
          exactSeek: yield* exactSeek(found),
          expiresAt: DateTime.unsafeMake(expiresAt * 1000),
        }
        return made
      })

      const waveform = Effect.fn("Recordings.waveform")(function* (
        account: AccountId,
        id: string,
        { from = 0, to, points }: WaveformQuery,
      ) {
        const { key: place } = recordingRef(yield* keptJob(account, id), "waveform")
        const object = yield* objects.head(place)
        if (object === null) return yield* new RecordingNotKept({ part: "waveform" })
        const placeOf = (milliseconds: number) => (milliseconds * PEAKS_PER_SECOND) / 1000
        const end = to === undefined ? object.bytes : Math.max(placeOf(to), placeOf(from))
        const first = Math.min(object.bytes, Math.floor(placeOf(from)))
        const peaks = yield* Effect.catchTag(readBytes(place)(first, Math.ceil(end)), "ObjectMissing", () =>
          Effect.fail(new RecordingNotKept({ part: "waveform" })),
        )
        return peaksTo(peaks, { from: placeOf(from) - first, to: end - first, points })
      })

      const open = Effect.fn("Recordings.open")(function* (address: string) {
        yield* verifyExportLink({ key: key(), address, now: (yield* Clock.currentTimeMillis) / 1000 })
        // What is signed is what `link` wrote.
        const { pathname } = new URL(address, "http://signed.invalid")
        const [, , account = "", id = "", kept = ""] = pathname.split("/")
        const owner = yield* Effect.mapError(parseId(AccountId)(account), () => new JobNotFound({ id }))
        const found = isKept(kept) ? yield* headOf(yield* keptJob(owner, id), kept) : null
        if (found === null) return yield* new RecordingNotKept({ part: "sound" })
        const { contentType, bytes, etag } = found
        const opened: OpenedRecording = {
          contentType,
          bytes,
          etag,
          read: (from, to) => objects.read(found.key, { from, to }),
        }
        return opened
      })

      return Recordings.of({ link, waveform, open })
    }),
  )
}
