/** The transcriptions of a service. */
import type { Transcription, TranscriptionSummary } from "@earmark/api/client"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { Page } from "../../help.js"
import { note } from "../../output.js"
import { ask } from "../../remote/ask.js"
import { factsOf, tableOf } from "../../table.js"
import { clockOf, percentOf } from "../../transcribe/figures.js"
import { andMore, cursor, json, limit, moment, show } from "../administration/administer.js"
import { transcription, where } from "./options.js"

const status = Options.choice("status", ["queued", "done", "failed"]).pipe(
  Options.withDescription("Only those in this state."),
  Options.optional,
)

const batch = Options.text("batch").pipe(
  Options.withDescription("Only those of this batch: batch_..."),
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

/** The state as people ask for it: what it is at, or why it failed. */
const stateOf = (job: Any): string => {
  if (job.status === "failed") return `failed: ${job.failure.code}`
  if (job.status === "done") return "done"
  return job.progress > 0 ? `${job.phase} ${percentOf(job.progress).trim()}` : job.phase
}

const nameOf = ({ title, source }: Any): string => title ?? source.url ?? source.media_ref ?? "-"

const lengthOf = ({ duration_seconds }: Any): string | null =>
  duration_seconds === null ? null : clockOf(duration_seconds)

const list = Command.make("list", { ...where, status, batch, feed, query, limit, cursor, json }, (options) =>
  Effect.gen(function* () {
    const page = yield* ask(options, (client, { signal }) =>
      client.transcriptions.list(
        {
          limit: options.limit,
          cursor: Option.getOrUndefined(options.cursor),
          status: Option.getOrUndefined(options.status),
          batch_id: Option.getOrUndefined(options.batch),
          feed: Option.getOrUndefined(options.feed),
          q: Option.getOrUndefined(options.query),
        },
        { signal },
      ),
    )
    yield* show(page, options.json, ({ data, next_cursor }) =>
      data.length === 0
        ? "There are no transcriptions.\n"
        : tableOf(
            [
              { head: "id", cell: (job) => job.id },
              { head: "state", cell: stateOf },
              { head: "created", cell: (job) => moment(job.created_at) },
              { head: "length", cell: lengthOf },
              { head: "title", cell: nameOf },
            ],
            data,
          ).concat(andMore(next_cursor)),
    )
  }),
).pipe(Command.withDescription("List transcriptions, newest first."))

const wait = Options.boolean("wait").pipe(Options.withDescription("Wait until it is done or failed."))

const facts = (job: Transcription) =>
  factsOf([
    ["id", job.id],
    ["state", stateOf(job)],
    ...(job.error === null ? [] : [["why", job.error] as const]),
    ["title", nameOf(job)],
    ["language", job.language],
    ["length", lengthOf(job)],
    ["words", job.word_count],
    ["minutes billed", job.billed_minutes],
    ["engine", job.engine],
    ["created", moment(job.created_at)],
    ["ended", moment(job.completed_at)],
    ["kept until", moment(job.expires_at)],
    ...job.warnings.map(({ detail }) => ["warning", detail] as const),
  ])

const showOne = Command.make("show", { id: transcription, ...where, wait, json }, (options) =>
  Effect.gen(function* () {
    const job = yield* ask(options, (client, { signal }) =>
      options.wait
        ? client.waitFor(options.id, { signal })
        : client.transcriptions.get(options.id, {}, { signal }),
    )
    yield* show<Transcription>(job, options.json, facts)
  }),
).pipe(Command.withDescription("Show one transcription; its text with --json, or with earmark export."))

const cancel = Command.make("cancel", { id: transcription, ...where, json }, (options) =>
  Effect.gen(function* () {
    const job = yield* ask(options, (client, { signal }) =>
      client.transcriptions.cancel(options.id, { signal }),
    )
    yield* show(job, options.json, ({ id }) => `${id} is canceled, and costs nothing.\n`)
  }),
).pipe(Command.withDescription("Cancel a transcription that has not ended. It costs nothing."))

const retry = Command.make("retry", { id: transcription, ...where, json }, (options) =>
  Effect.gen(function* () {
    const job = yield* ask(options, (client, { signal }) =>
      client.transcriptions.retry(options.id, { signal }),
    )
    yield* show(job, options.json, ({ id }) => `${id} is in the queue again.\n`)
  }),
).pipe(Command.withDescription("Try a failed transcription again, with the options it was made with."))

const ids = Args.text({ name: "id" }).pipe(
  Args.withDescription("The ids of transcriptions: tr_..."),
  Args.atLeast(1),
)

const remove = Command.make("delete", { ids, ...where }, (options) =>
  Effect.gen(function* () {
    for (const id of options.ids) {
      yield* ask(options, (client, { signal }) => client.transcriptions.delete(id, { signal }))
      yield* note(`${id} is deleted: its text and its media are gone.`)
    }
  }),
).pipe(
  Command.withDescription("Delete transcriptions with their text and media. What runs is canceled first."),
)

/** What `earmark jobs` does with the jobs of a service, beside what its operator does. */
export const jobCommands = [list, showOne, cancel, retry, remove] as const

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
  { name: "cancel", descriptor: cancel.descriptor, examples: ['earmark jobs cancel "$JOB"'], children: [] },
  { name: "retry", descriptor: retry.descriptor, examples: ['earmark jobs retry "$JOB"'], children: [] },
  { name: "delete", descriptor: remove.descriptor, examples: ['earmark jobs delete "$JOB"'], children: [] },
]
