/** Transcribes again what has failed here: the same source with the same options, to the same places. */
import { Effect } from "effect"
import { CommandFailed, failed } from "../CommandFailed.js"
import { FORMATS } from "../grammar/formats.js"
import type { Raw } from "../transcribe/readAsked.js"
import type { TranscribeRequest } from "../transcribe/TranscribeRequest.js"
import { waitFor } from "../waitFor.js"
import type { Head } from "./Head.js"

/** What hears. Bundled apart, since it is as large as all the rest. */
const loadHost = Effect.promise(() => import("../transcribe/host.js"))

const text = (seconds: number | null): string | undefined => (seconds === null ? undefined : String(seconds))

const speakersOf = ({ speakers }: Head["job"]["options"]): string | undefined => {
  if (speakers === null) return undefined
  const { min, max } = speakers
  return min === max || max == null ? String(min ?? 1) : `${min ?? 1}-${max}`
}

/** The options as a command line says them. */
const rawOf = ({ job: { options }, again }: Head): Raw => ({
  language: options.language ?? undefined,
  diarize: options.diarize,
  speakers: speakersOf(options),
  channels: again.channels,
  quality: again.quality_explicit ? options.quality : undefined,
  vocabulary: options.vocabulary.length === 0 ? undefined : options.vocabulary.join(","),
  start: text(options.start_at),
  end: text(options.end_at),
  guid: again.episode ?? undefined,
  summary: options.summary,
  chapters: options.chapters,
  translate: options.translate_to ?? undefined,
  wordLevel: again.word_level,
})

const requestOf = (head: Head, source: string): TranscribeRequest => ({
  sources: [source],
  from: null,
  watch: null,
  feedWatch: null,
  episodes: null,
  raw: rawOf(head),
  output: null,
  places: head.again.places.flatMap(({ format, path }) => {
    const known = FORMATS.find((each) => each === format)
    return known === undefined ? [] : [{ format: known, path }]
  }),
  engine: head.again.engine,
  keep: true,
  server: null,
  jobs: 1,
  force: false,
  skipExisting: false,
  retryFailed: true,
  dryRun: false,
  maxMinutes: null,
  maxCredits: null,
  manifest: null,
  json: false,
  quiet: false,
  verbose: false,
  colour: "auto",
  words: [],
})

export const retryHere = Effect.fnUntraced(function* (head: Head) {
  const { source } = head.again
  if (source === null)
    return yield* failed(
      `${head.job.id} came through a pipe, and is not there any more. Pipe it in again: earmark transcribe - < FILE. [source_not_found]`,
    )
  const host = yield* loadHost
  const { exitCode, problem } = yield* waitFor((signal) => host.transcribe(requestOf(head, source), signal))
  if (exitCode !== 0) return yield* new CommandFailed({ message: problem ?? "", exitCode })
})
