/** The transcriptions of a service, or of this machine. */
import type { Transcription, TranscriptionSummary } from "@earmark/api/client"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { usage } from "../CommandFailed.js"
import { requireConsent } from "../consent.js"
import type { Page } from "../help.js"
import { libraryOf } from "../library/libraryOf.js"
import { readNames } from "../library/speakerNames.js"
import { type Column, factsOf, tableOf } from "../table.js"
import { clockOf, counted, percentOf } from "../transcribe/figures.js"
import { json, moment, orNone, pageOf, paging, say, sayDone, show } from "./administration/administer.js"
import { place, transcription } from "./remote/options.js"

const status = Options.choice("status", ["queued", "done", "failed", "canceled"]).pipe(
  Options.withDescription(
    "Only those in this state. What was stopped or canceled is among the failed; on this machine canceled is that alone.",
  ),
  Options.optional,
)

const batch = Options.text("batch").pipe(
  Options.withDescription("Only those of this batch of a service: batch_..."),
  Options.optional,
)

const feed = Options.text("feed").pipe(
  Options.withDescription("Only episodes of the feed with this address."),
  Options.optional,
)

const query = Options.text("query").pipe(
  Options.withAlias("q"),
  Options.withDescription("Only those with these words in their title or text."),
  Options.optional,
)

type Any = Transcription | TranscriptionSummary

/** The state as people ask for it: what it is at, or why it failed. What somebody stopped has not failed. */
const stateOf = (job: Any): string => {
  if (job.status === "failed")
    return job.failure.code === "canceled" ? "canceled" : `failed: ${job.failure.code}`
  if (job.status === "done") return "done"
  return job.progress > 0 ? `${job.phase} ${percentOf(job.progress).trim()}` : job.phase
}

const nameOf = ({ title, source }: Any): string => title ?? source.url ?? source.media_ref ?? "-"

const lengthOf = ({ duration_seconds }: Any): string | null =>
  duration_seconds === null ? null : clockOf(duration_seconds)

const originOf = ({ metadata }: Any): string | null =>
  typeof metadata?.source === "string" ? metadata.source : null

/** Where they come from, when the title does not tell them apart. */
const origins = (jobs: ReadonlyArray<Any>): ReadonlyArray<Column<Any>> => {
  const names = jobs.map(nameOf)
  return new Set(names).size === names.length || jobs.every((job) => originOf(job) === null)
    ? []
    : [{ head: "source", cell: originOf, canBeCut: true }]
}

const list = Command.make("list", { ...place, status, batch, feed, query, ...paging, json }, (options) =>
  Effect.gen(function* () {
    const library = yield* libraryOf(options)
    const page = yield* pageOf(options, (place) =>
      library.list({
        ...place,
        status: Option.getOrUndefined(options.status),
        batch_id: Option.getOrUndefined(options.batch),
        feed: Option.getOrUndefined(options.feed),
        q: Option.getOrUndefined(options.query),
      }),
    )
    yield* show(
      page,
      options.json,
      ({ data }) =>
        data.length === 0
          ? ""
          : tableOf(
              [
                { head: "id", cell: (job) => job.id },
                { head: "state", cell: stateOf },
                { head: "created", cell: (job) => moment(job.created_at) },
                { head: "length", cell: lengthOf },
                { head: "title", cell: nameOf, canBeCut: true },
                ...origins(data),
              ],
              data,
            ),
      orNone("There are no transcriptions."),
    )
  }),
).pipe(Command.withDescription("List transcriptions, newest first."))

const wait = Options.boolean("wait").pipe(Options.withDescription("Wait until it is done or failed."))

/** What a client has noted of a job. */
const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  return Array.isArray(value) ? value.map(textOf).join(", ") : JSON.stringify(value)
}

const facts = (job: Transcription) =>
  factsOf([
    ["id", job.id],
    ["state", stateOf(job)],
    ...(job.error === null ? [] : [["why", job.error] as const]),
    ["title", nameOf(job)],
    ["language", job.language],
    ["length", lengthOf(job)],
    ["words", job.word_count],
    // This machine bills nothing, and keeps what it has until it is deleted.
    ...(job.billed_minutes ? [["minutes billed", job.billed_minutes] as const] : []),
    ["engine", job.engine],
    ["created", moment(job.created_at)],
    ["ended", moment(job.completed_at)],
    ...(job.expires_at === null ? [] : [["kept until", moment(job.expires_at)] as const]),
    ...Object.entries(job.metadata ?? {}).map(([name, value]) => [name, textOf(value)] as const),
    ...job.warnings.map(({ detail }) => ["warning", detail] as const),
  ])

const showOne = Command.make("show", { id: transcription, ...place, wait, json }, (options) =>
  Effect.gen(function* () {
    const library = yield* libraryOf(options)
    const job = yield* library.show(yield* library.idOf(options.id), options.wait)
    yield* show<Transcription>(job, options.json, facts)
  }),
).pipe(Command.withDescription("Show one transcription; its text with --json, or with earmark export."))

const cancel = Command.make("cancel", { id: transcription, ...place, json }, (options) =>
  Effect.gen(function* () {
    const library = yield* libraryOf(options)
    const job = yield* library.cancel(yield* library.idOf(options.id))
    yield* say(job, options.json, ({ id }) => `${id} is canceled, and costs nothing.`)
  }),
).pipe(
  Command.withDescription(
    "Cancel a transcription of a service that has not ended. It costs nothing. Ctrl-C stops a run of this machine.",
  ),
)

const retry = Command.make("retry", { id: transcription, ...place, json }, (options) =>
  Effect.gen(function* () {
    const library = yield* libraryOf(options)
    const job = yield* library.retry(yield* library.idOf(options.id))
    yield* say(job, options.json, ({ id, status }) =>
      status === "done" ? `${id} is done.` : `${id} is in the queue again.`,
    )
  }),
).pipe(Command.withDescription("Try a failed transcription again, with the options it was made with."))

const names = Args.text({ name: "names" }).pipe(
  Args.withDescription('Who they are: "Speaker 1=Ann,Speaker 2=Bob". "Speaker 1=" takes the name away.'),
)

const nameSpeakers = Command.make("name", { id: transcription, names, ...place, json }, (options) =>
  Effect.gen(function* () {
    const names = yield* readNames(options.names)
    const library = yield* libraryOf(options)
    const job = yield* library.name(yield* library.idOf(options.id), names)
    yield* say(
      job,
      options.json,
      ({ id }) => `The speakers of ${id} are named. Exports and searches show it.`,
    )
  }),
).pipe(Command.withDescription("Name the speakers of a finished transcription."))

const ids = Args.text({ name: "id" }).pipe(
  Args.withDescription(
    "The ids of transcriptions, tr_...; of those of this machine their beginnings are enough.",
  ),
  Args.repeated,
)

const all = Options.boolean("all").pipe(
  Options.withDescription("Empty the library of this machine. Files that were written stay."),
)

const yes = Options.boolean("yes").pipe(
  Options.withAlias("y"),
  Options.withDescription("With --all: do not ask on a terminal."),
)

const consentTo = (count: number) =>
  requireConsent(
    `Delete ${count === 1 ? "the one transcription" : `all ${counted(count, "transcription")}`} of the library of this machine?`,
    "Nothing was deleted.",
  )

const jsonLines = Options.boolean("json").pipe(
  Options.withDescription("One JSON object a line for each on standard output instead of a sentence."),
)

const remove = Command.make("delete", { ids, ...place, all, yes, json: jsonLines }, (options) =>
  Effect.gen(function* () {
    if (options.all === options.ids.length > 0) {
      return yield* usage(
        "earmark jobs delete needs <id>, or --all to empty the library of this machine. See earmark jobs delete --help.",
      )
    }
    const library = yield* libraryOf(options)
    if (options.all) {
      const told = yield* library.removeAll(options.yes ? () => Effect.void : consentTo)
      return yield* sayDone({ all: true, deleted: true }, options.json, told)
    }
    for (const given of options.ids) {
      const id = yield* library.idOf(given)
      yield* sayDone({ id, deleted: true }, options.json, yield* library.remove(id))
    }
  }),
).pipe(
  Command.withDescription(
    "Delete transcriptions: at a service with their media, and what runs is canceled first; on this machine never the files that were written.",
  ),
)

/** What `earmark jobs` does, beside what the operator of a service does. */
export const jobCommands = [list, showOne, nameSpeakers, cancel, retry, remove] as const

export const jobPages: ReadonlyArray<Page> = [
  {
    name: "list",
    descriptor: list.descriptor,
    examples: ["earmark jobs list --status failed", "earmark jobs list --json --limit 100"],
    children: [],
  },
  {
    name: "show",
    descriptor: showOne.descriptor,
    examples: ['earmark jobs show "$JOB" --wait', 'earmark jobs show "$JOB" --json'],
    children: [],
  },
  {
    name: "name",
    descriptor: nameSpeakers.descriptor,
    examples: ['earmark jobs name "$JOB" "Speaker 1=Ann,Speaker 2=Bob"'],
    children: [],
  },
  { name: "cancel", descriptor: cancel.descriptor, examples: ['earmark jobs cancel "$JOB"'], children: [] },
  { name: "retry", descriptor: retry.descriptor, examples: ['earmark jobs retry "$JOB"'], children: [] },
  {
    name: "delete",
    descriptor: remove.descriptor,
    examples: [
      'earmark jobs delete "$JOB"',
      "earmark jobs delete --all --local",
      "earmark jobs delete --all --yes",
    ],
    children: [],
  },
]
