/** The transcriptions of a service, or of this machine. */

import { fileURLToPath } from "node:url"
import type { Transcription, TranscriptionSummary } from "@earmark/api/client"
import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import { canAsk, requireConsent } from "../consent.js"
import { tellRewritten } from "../editing/tellRewritten.js"
import type { Given } from "../grammar/Grammar.js"
import type { jobs } from "../grammar/transcripts.js"
import type { Library } from "../library/Library.js"
import { entryOf, libraryOf } from "../library/libraryOf.js"
import { note } from "../output.js"
import type { Column } from "../table.js"
import { counted, lengthOf, percentOf } from "../transcribe/figures.js"
import { readNames } from "../transcribe/readOptions.js"
import { listed, moment, pageOf, say, sayDone, showFacts } from "./administration/administer.js"
import { differencesAmong } from "./differences.js"
import { extraFacts } from "./extraFacts.js"

type Any = Transcription | TranscriptionSummary

/** The state as people ask for it: what it is at, or why it failed. What somebody stopped has not failed. */
const stateOf = (job: Any): string => {
  if (job.status === "failed")
    return job.failure.code === "canceled" ? "canceled" : `failed: ${job.failure.code}`
  if (job.status === "done") return "done"
  return job.progress > 0 ? `${job.phase} ${percentOf(job.progress).trim()}` : job.phase
}

const nameOf = ({ title, source }: Any): string => title ?? source.url ?? source.media_ref ?? "-"

const heardLength = ({ duration_seconds: seconds, options: { start_at, end_at } }: Any): string | null =>
  seconds === null
    ? null
    : lengthOf(seconds, Math.max(0, Math.min(end_at ?? seconds, seconds) - (start_at ?? 0)))

const originOf = ({ metadata }: Any): string | null =>
  typeof metadata?.source === "string" ? metadata.source : null

/** Where they come from, when the title does not tell them apart. */
const origins = (jobs: ReadonlyArray<Any>): ReadonlyArray<Column<Any>> => {
  const names = jobs.map(nameOf)
  return new Set(names).size === names.length || jobs.every((job) => originOf(job) === null)
    ? []
    : [{ head: "source", cell: originOf, canBeCut: true }]
}

/** What was asked for otherwise, where there are several of one source. */
const differences = (jobs: ReadonlyArray<Any>): ReadonlyArray<Column<Any>> => {
  const differing = differencesAmong(jobs)
  return differing.size === 0
    ? []
    : [{ head: "differs in", cell: (job) => differing.get(job.id) ?? "", canBeCut: true }]
}

export const list = (options: Given<typeof jobs.commands.list>) =>
  Effect.gen(function* () {
    const library = yield* libraryOf(options)
    const { status, batch, feed, query } = options
    yield* listed(
      options,
      (place) =>
        library.list({
          ...place,
          status,
          batch_id: batch,
          feed,
          q: query,
        }),
      (data) => [
        { head: "id", cell: (job) => job.id },
        { head: "state", cell: stateOf },
        { head: "created", cell: (job) => moment(job.created_at) },
        { head: "length", cell: heardLength },
        { head: "title", cell: nameOf, canBeCut: true },
        ...origins(data),
        ...differences(data),
      ],
      "There are no transcriptions.",
      { "--status": status, "--batch": batch, "--feed": feed, "--query": query },
    )
  })

/** What a client has noted of a job. */
const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  return Array.isArray(value) ? value.map(textOf).join(", ") : JSON.stringify(value)
}

const labelsIn = (job: Transcription): ReadonlyArray<string> =>
  job.status === "done"
    ? [...new Set(job.segments.flatMap(({ speaker }) => (speaker === null ? [] : [speaker])))]
    : []

/** Who speaks, in the order of the transcript: names with their labels. */
const speakersOf = (job: Transcription): string | null => {
  if (job.status !== "done") return null
  const shown = labelsIn(job).map((label) => {
    const name = job.speakers[label]
    return name === undefined ? label : `${name} (${label})`
  })
  return shown.length === 0 ? null : shown.join(", ")
}

/** What a client has noted. A file is named from the root on: the folder may be another one now. */
const notes = ({ metadata, source }: Transcription): ReadonlyArray<readonly [string, string]> =>
  Object.entries(metadata ?? {}).map(([name, value]) => [
    name,
    name === "source" && source.url?.startsWith("file:") ? fileURLToPath(source.url) : textOf(value),
  ])

const facts = (job: Transcription) => {
  const speakers = speakersOf(job)
  return [
    ["id", job.id],
    ["state", stateOf(job)],
    ...(job.error === null ? [] : [["why", job.error] as const]),
    ["title", nameOf(job)],
    ["language", job.language],
    ["length", heardLength(job)],
    ["words", job.word_count],
    ...(speakers === null ? [] : [["speakers", speakers] as const]),
    // This machine bills nothing, and keeps what it has until it is deleted.
    ...(job.billed_minutes ? [["minutes billed", job.billed_minutes] as const] : []),
    ...(job.status === "done" && job.revision ? [["revision", job.revision] as const] : []),
    ["engine", job.engine],
    ["created", moment(job.created_at)],
    ["ended", moment(job.completed_at)],
    ...(job.expires_at === null ? [] : [["kept until", moment(job.expires_at)] as const]),
    ...notes(job),
    ...extraFacts(job.enrichment),
    ...job.warnings.map(({ detail }) => ["warning", detail] as const),
  ] as const
}

const showOne = (options: Given<typeof jobs.commands.show>) =>
  Effect.gen(function* () {
    const { library, id } = yield* entryOf(options)
    const job = yield* library.show(id, options.wait)
    yield* showFacts<Transcription>(job, options.json, facts)
  })

export const cancel = (options: Given<typeof jobs.commands.cancel>) =>
  Effect.gen(function* () {
    const { library, id } = yield* entryOf(options)
    yield* say(yield* library.cancel(id), options.json, () => `${id} is canceled, and costs nothing.`)
  })

export const retry = (options: Given<typeof jobs.commands.retry>) =>
  Effect.gen(function* () {
    const { library, id } = yield* entryOf(options)
    yield* say(yield* library.retry(id), options.json, ({ status }) =>
      status === "done" ? `${id} is done.` : `${id} is in the queue again.`,
    )
  })

/** Speakers that have one name now are one to every reader, which is meant where one voice had got two labels. */
const unitedBy = (job: Transcription, given: ReadonlyArray<string | null>): ReadonlyArray<string> => {
  if (job.status !== "done") return []
  return [...new Set(given)].flatMap((name) => {
    const labels = labelsIn(job).filter((label) => (job.speakers[label] ?? label) === name)
    return labels.length < 2
      ? []
      : [`${labels.join(" and ")} are now shown as one speaker, ${name}. To undo it, give them other names.`]
  })
}

const nameSpeakers = (options: Given<typeof jobs.commands.name>) =>
  Effect.gen(function* () {
    const names = yield* readNames(options.names)
    const { library, id } = yield* entryOf(options)
    const job = yield* library.name(id, names)
    yield* tellRewritten(library, id)
    yield* say(job, options.json, () => `The speakers of ${id} are named. Exports and searches show it.`)
    if (options.json) return
    for (const line of unitedBy(yield* library.show(id, false), Object.values(names))) yield* note(line)
  })

const consentTo = (count: number) =>
  requireConsent(
    `Delete ${count === 1 ? "the one transcription" : `all ${counted(count, "transcription")}`} of the library of this machine?`,
    "Nothing was deleted.",
  )

/** The ids of all that failed; what somebody stopped can go on. */
const failedIn = (library: Library) =>
  Effect.map(
    pageOf({ limit: 1, cursor: undefined, all: true }, (place) =>
      library.list({ ...place, status: "failed" }),
    ),
    ({ data }) =>
      data.flatMap((job) => (job.status === "failed" && job.failure.code !== "canceled" ? [job.id] : [])),
  )

const remove = (options: Given<typeof jobs.commands.delete>) =>
  Effect.gen(function* () {
    if ([options.all, options.failed, options.ids.length > 0].filter(Boolean).length !== 1) {
      return yield* usage(
        "earmark jobs delete needs <id>, --failed, or --all to empty the library of this machine. See earmark jobs delete --help.",
      )
    }
    const library = yield* libraryOf(options)
    if (options.all) {
      if (!options.yes && !canAsk())
        return yield* usage(
          "earmark jobs delete --all asks for confirmation, which needs a terminal. Add --yes to delete without it.",
        )
      const told = yield* library.removeAll(options.yes ? () => Effect.void : consentTo)
      return yield* sayDone({ all: true, deleted: true }, options.json, told)
    }
    const failed = options.failed ? yield* failedIn(library) : []
    if (options.failed && failed.length === 0)
      return yield* sayDone({ deleted: false }, options.json, "Nothing has failed.")
    for (const given of [...options.ids, ...failed]) {
      const id = yield* library.idOf(given)
      yield* sayDone({ id, deleted: true }, options.json, yield* library.remove(id))
    }
  })

export { dead } from "./administration/jobs.js"
export { nameSpeakers as name, remove as delete, showOne as show }
