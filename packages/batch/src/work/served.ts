/** What a run asks of a server and gets from it, in the words of the wire. */
import type { CreateTranscription, DoneTranscription, EndedTranscription } from "@earmark/api/client"
import { Enrichment, type OptionsSnapshot } from "@earmark/core/jobs"
import { ExportFormat } from "@earmark/core/wire"
import { Option, Schema } from "effect"
import { partOf } from "../run/budget.js"
import type { Facts, Identity } from "./Workplace.js"

const seconds = (milliseconds: number | null) => (milliseconds === null ? undefined : milliseconds / 1000)

export const wishOf = (options: OptionsSnapshot): CreateTranscription => ({
  language: options.language ?? undefined,
  diarize: options.diarize,
  summary: options.summary,
  chapters: options.chapters,
  translate_to: options.translateTo ?? undefined,
  quality: options.qualityExplicit ? options.quality : undefined,
  speakers: options.speakers ?? undefined,
  vocabulary: options.vocabulary.length === 0 ? undefined : options.vocabulary,
  start_at: seconds(options.startAt),
  end_at: seconds(options.endAt),
})

const speakersOf = ({ segments }: DoneTranscription): number =>
  new Set(segments.flatMap(({ speaker }) => (speaker === null ? [] : [speaker]))).size

const enrichmentOf = Schema.decodeUnknownOption(Enrichment)

export const factsOf = (job: DoneTranscription): Facts => ({
  id: job.id,
  origin: job.origin,
  engine: job.engine,
  language: job.language,
  durationSeconds: job.duration_seconds,
  words: job.word_count,
  speakers: speakersOf(job),
  heardSeconds: 0,
  summary: job.summary ?? null,
  warnings: job.warnings,
  gaps: job.integrity?.gaps ?? [],
  doubts: job.integrity?.doubts ?? [],
  wordTiming: job.word_timing ?? null,
  enrichment: Option.getOrElse(enrichmentOf(job.enrichment), () => ({})),
})

/** What a server has found behind a link, as a run of this machine says it. */
export const identityOfJob = ({
  title,
  source,
}: Pick<EndedTranscription, "title" | "source">): Partial<Identity> => ({
  title,
  feed: source.feed_url ?? null,
  guid: source.episode_guid ?? null,
  mediaUrl: source.url ?? null,
})

/** Where a job is on the timeline of its media, in seconds: a server tells its share of the part that is asked for. 0 while the length is unknown. */
export const reachedBy = (
  { share, seconds }: { readonly share: number; readonly seconds: number | null },
  options: Pick<OptionsSnapshot, "startAt" | "endAt">,
): number => (seconds === null ? 0 : (options.startAt ?? 0) / 1000 + partOf(seconds, options) * share)

/** What servers write. */
export const SERVED_FORMATS = ExportFormat.literals
