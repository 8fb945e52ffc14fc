/** What tells several transcriptions of one source apart. */
import { basename } from "node:path"
import type { Transcription, TranscriptionSummary } from "@earmark/api/client"

type Any = Pick<Transcription | TranscriptionSummary, "id" | "source" | "options" | "engine" | "metadata">

const sourceOf = ({ source, metadata }: Any): string =>
  JSON.stringify([source.url, source.media_ref, source.feed_url, source.episode_guid, metadata?.source])

const filesOf = ({ metadata }: Any): string => {
  const results = metadata?.results
  return Array.isArray(results) ? results.map((path) => basename(String(path))).join(" ") : ""
}

/** Everything that two runs may differ in, in words. Empty: nothing that was asked for. */
const traitsOf = (job: Any): ReadonlyArray<string> => {
  const { language, diarize, quality, summary, chapters, translate_to, vocabulary, start_at, end_at } =
    job.options
  return [
    filesOf(job),
    job.engine ?? "",
    language ?? "any language",
    diarize ? "speakers" : "no speakers",
    quality,
    summary ? "summary" : "",
    chapters ? "chapters" : "",
    translate_to === null ? "" : `in ${translate_to}`,
    vocabulary.length === 0 ? "" : "vocabulary",
    start_at === null ? "" : `from ${start_at} s`,
    end_at === null ? "" : `to ${end_at} s`,
  ]
}

/** For each transcription whose source has others: the traits in which they differ. */
export const differencesAmong = (jobs: ReadonlyArray<Any>): ReadonlyMap<string, string> => {
  const groups = new Map<string, Array<{ readonly id: string; readonly traits: ReadonlyArray<string> }>>()
  for (const job of jobs) {
    const source = sourceOf(job)
    groups.set(source, [...(groups.get(source) ?? []), { id: job.id, traits: traitsOf(job) }])
  }
  return new Map(
    [...groups.values()].flatMap((group) =>
      group.flatMap(({ id, traits }) => {
        const differing = traits.filter(
          (trait, at) => trait !== "" && group.some((other) => other.traits[at] !== trait),
        )
        return differing.length === 0 ? [] : [[id, differing.join(", ")] as const]
      }),
    ),
  )
}
