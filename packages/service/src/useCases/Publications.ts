import type { Export } from "@earmark/core/captions"
import type { AccountId } from "@earmark/core/jobs"
import { episodeTags, type PublishedShow, publicMediaUrl, publishedFiles } from "@earmark/core/publishing"
import { signShow } from "@earmark/core/signing"
import { type Publication, PublishedFormat, type PublishRequest } from "@earmark/core/wire"
import { Clock, Context, DateTime, Effect, Layer, Redacted } from "effect"
import { PublicationStore, type PublishedJob, type StoredPublication } from "../ports/PublicationStore.js"
import type { StoredJob } from "../ports/records.js"
import type { StorageError } from "../ports/StorageError.js"
import { StoreSettings } from "../ports/StoreSettings.js"
import { randomOf } from "./Entropy.js"
import { isOver, makeFinding, type Unknown, type Unreadable } from "./finding.js"
import { NotPublished, type TranscriptNotReady } from "./refusals.js"
import { Secrets } from "./Secrets.js"
import { Transcriptions } from "./Transcriptions.js"

type ExportRefusals = Effect.Effect.Error<ReturnType<Transcriptions["Type"]["export"]>>

const TOKEN_BYTES = 16
const TOKEN = /^[A-Za-z0-9_-]{22}$/

/** So many episodes of a show are listed, the newest. */
const MOST_LISTED = 5000

const WEB_ADDRESS = /^https?:\/\//i

/** The feed that a transcript is of; one that was uploaded has no address. */
const feedOf = ({ source }: StoredJob): string | null => {
  const { feedUrl } = source.shown
  return feedUrl !== undefined && WEB_ADDRESS.test(feedUrl) ? feedUrl : null
}

/** The recording, where anyone may have its address. */
const mediaOf = ({ source: { mediaUrl, facts } }: StoredJob): string | null =>
  mediaUrl === null || facts?.isPublic !== true ? null : publicMediaUrl(mediaUrl)

/** The formats that there is something to show in, in the order of their tags. */
const shownFormats = ({ publication, job }: PublishedJob): ReadonlyArray<PublishedFormat> =>
  PublishedFormat.literals.filter(
    (format) =>
      publication.formats.includes(format) &&
      (format !== "chapters" || job.enrichment.chapters?.status === "done"),
  )

/** What stands around the transcript on its page. Addresses are seen from the page. */
const pageOf = (found: PublishedJob) => ({
  mediaUrl: mediaOf(found.job),
  assets: "../",
  files: shownFormats(found)
    .filter((format) => format !== "html")
    .map((format) => {
      const { name, type } = publishedFiles[format]
      return { name, url: name, type }
    }),
})

/** Transcripts that their accounts show to the world, at addresses that stay. */
export class Publications extends Context.Tag("@earmark/service/Publications")<
  Publications,
  {
    /** Refused where there is no transcript to read. Publishing again keeps the addresses. */
    readonly publish: (
      account: AccountId,
      id: string,
      request: PublishRequest,
    ) => Effect.Effect<Publication, TranscriptNotReady | Unreadable>
    readonly get: (account: AccountId, id: string) => Effect.Effect<Publication, NotPublished | Unknown>
    /** Its addresses lead nowhere from now on. */
    readonly takeBack: (account: AccountId, id: string) => Effect.Effect<void, Unknown>
    /** A file of a publication as the transcript is now, by its token and its name. */
    readonly open: (token: string, name: string) => Effect.Effect<Export, NotPublished | ExportRefusals>
    /** Everything that is published of one feed. */
    readonly show: (show: string) => Effect.Effect<PublishedShow, NotPublished | StorageError>
  }
>() {
  static readonly layer = Layer.effect(
    Publications,
    Effect.gen(function* () {
      const store = yield* PublicationStore
      const transcriptions = yield* Transcriptions
      const secrets = yield* Secrets
      const settings = yield* StoreSettings
      const base = settings.baseUrl.replace(/\/$/, "")
      const { find, contentOf } = yield* makeFinding

      const filesOf = (found: PublishedJob) =>
        shownFormats(found).map((format) => ({
          format,
          url: `${base}/p/${found.publication.token}/${publishedFiles[format].name}`,
          type: publishedFiles[format].type,
          language: found.job.language,
        }))

      const shown = (found: PublishedJob): Publication => {
        const { job, publication } = found
        const files = filesOf(found)
        const feedUrl = feedOf(job)
        const lists = `${base}/shows/${publication.show}/transcripts`
        const isOfShow = feedUrl !== null && publication.show !== null
        return {
          transcriptionId: job.id,
          title: job.title,
          guid: job.source.shown.episodeGuid ?? null,
          publishedAt: DateTime.unsafeMake(publication.publishedAt),
          files,
          tags: episodeTags(files),
          show: isOfShow ? { feedUrl, jsonUrl: `${lists}.json`, opmlUrl: `${lists}.opml` } : null,
        }
      }

      const newPublication = Effect.fnUntraced(function* (
        job: StoredJob,
        formats: StoredPublication["formats"],
      ) {
        const feedUrl = feedOf(job)
        const key = Redacted.value(secrets.keys).shows
        return {
          account: job.account,
          job: job.id,
          token: Buffer.from(yield* randomOf(TOKEN_BYTES)).toString("base64url"),
          show: feedUrl === null ? null : signShow(key, job.account, feedUrl),
          formats,
        }
      })

      const publish = Effect.fn("Publications.publish")(function* (
        account: AccountId,
        id: string,
        { formats = PublishedFormat.literals }: PublishRequest,
      ) {
        const job = yield* find(account, id)
        yield* contentOf(job)
        const publication = yield* store.put(yield* newPublication(job, [...new Set(formats)]))
        return shown({ publication, job })
      })

      const get = Effect.fn("Publications.get")(function* (account: AccountId, id: string) {
        const job = yield* find(account, id)
        const publication = yield* store.get(account, job.id)
        return publication === null ? yield* new NotPublished() : shown({ publication, job })
      })

      const takeBack = Effect.fn("Publications.takeBack")(function* (account: AccountId, id: string) {
        const job = yield* find(account, id)
        yield* store.remove(account, job.id)
      })

      const open = Effect.fn("Publications.open")(function* (token: string, name: string) {
        const found = TOKEN.test(token) ? yield* store.find(token) : null
        if (found === null) return yield* new NotPublished()
        const format = shownFormats(found).find((each) => publishedFiles[each].name === name)
        if (format === undefined) return yield* new NotPublished()
        const query = { format: publishedFiles[format].export }
        return yield* transcriptions.export(
          found.job.account,
          found.job.id,
          format === "html" ? { ...query, page: pageOf(found) } : query,
        )
      })

      const show = Effect.fn("Publications.show")(function* (name: string) {
        const now = yield* Clock.currentTimeMillis
        const all = TOKEN.test(name) ? yield* store.ofShow(name, MOST_LISTED) : []
        const readable = all.filter(({ job }) => !isOver(job, now))
        if (readable.length === 0) return yield* new NotPublished()
        return {
          episodes: readable.map((found) => ({
            transcriptionId: found.job.id,
            guid: found.job.source.shown.episodeGuid ?? null,
            title: found.job.title,
            language: found.job.language,
            files: filesOf(found),
          })),
        }
      })

      return Publications.of({ publish, get, takeBack, open, show })
    }),
  )
}
