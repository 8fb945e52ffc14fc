/** The finished transcriptions of a library, and each of them as a document that exports are made of. */
import type { TranscriptionSummary } from "@earmark/api/client"
import type { ExportDocument } from "@earmark/core/captions"
import { documentOfJson } from "@earmark/core/publishing"
import { Effect } from "effect"
import type { ExportWanted } from "../library/exportEntry.js"
import type { Readable } from "../library/Library.js"
import { SiteRefused } from "./SiteRefused.js"

/** What of a library is needed to publish it. */
export type Shelf<E> = Pick<Readable<E>, "idOf" | "list" | "superseded" | "show" | "export">

/** A transcription that is done, as lists show it. */
export type FinishedJob = Extract<TranscriptionSummary, { readonly status: "done" }>

const ON_A_PAGE = 100

const NONE: ReadonlySet<string> = new Set()

/** What an episode is known by in all of its transcripts; a transcript of no feed is known by itself. */
const episodeOf = ({ id, source }: FinishedJob): string =>
  source.episode_guid === undefined ? id : JSON.stringify([source.feed_url ?? "", source.episode_guid])

/** Of several transcripts of an episode the first. */
const oneOfEach = (jobs: ReadonlyArray<FinishedJob>): ReadonlyArray<FinishedJob> => {
  const first = new Map<string, FinishedJob>()
  for (const job of jobs) if (!first.has(episodeOf(job))) first.set(episodeOf(job), job)
  return [...first.values()]
}

/** Those that are named, or the newest of each episode. The newest is first. */
export const finishedJobs = Effect.fnUntraced(function* <E>(
  library: Pick<Shelf<E>, "idOf" | "list" | "superseded">,
  ids: ReadonlyArray<string>,
) {
  const wanted = new Set<string>()
  for (const id of ids) wanted.add(yield* library.idOf(id))
  const jobs: Array<FinishedJob> = []
  let cursor: string | undefined
  do {
    const page = yield* library.list({ status: "done", limit: ON_A_PAGE, cursor })
    for (const job of page.data) {
      if (job.status === "done" && (wanted.size === 0 || wanted.delete(job.id))) jobs.push(job)
    }
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined && (ids.length === 0 || wanted.size > 0))
  const [missing] = wanted
  if (missing !== undefined)
    return yield* new SiteRefused({
      reason: "not_found",
      subject: missing,
      message: `There is no finished transcription ${missing}.`,
    })
  if (ids.length > 0) return jobs
  const superseded = yield* library.superseded ?? Effect.succeed(NONE)
  return oneOfEach(jobs.filter(({ id }) => !superseded.has(id)))
})

const asJson: ExportWanted = {
  format: "json",
  word_level: true,
  speakers: true,
  profile: undefined,
  language: undefined,
}

/** What a library knows of a transcript, as JSON: with the times of its words where it has them and may tell them. */
export const jsonOf = <E>(library: Pick<Shelf<E>, "export">, id: string): Effect.Effect<string, E> =>
  library.export(id, asJson).pipe(
    Effect.orElse(() => library.export(id, { ...asJson, word_level: false })),
    Effect.map((chunks) => Buffer.concat([...chunks].map((chunk) => Buffer.from(chunk))).toString("utf8")),
  )

export const documentOf = (id: string, text: string): Effect.Effect<ExportDocument, SiteRefused> => {
  const document = documentOfJson(text)
  return document === null
    ? new SiteRefused({
        reason: "unreadable",
        subject: id,
        message: `${id} is not a transcript that this version can read.`,
      })
    : Effect.succeed(document)
}
