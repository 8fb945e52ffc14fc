import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { Page } from "../../help.js"
import { tableOf } from "../../table.js"
import { jobCommands, jobPages } from "../jobs.js"
import { administer, json, limit, say, show } from "./administer.js"
import { groups } from "./groups.js"

const retry = Options.text("retry").pipe(
  Options.withDescription("Put the job with this id (tr_...) back into the queue instead of listing."),
  Options.optional,
)

const requeue = (id: string, json: boolean) =>
  Effect.gen(function* () {
    const put = yield* administer((all) => all.retryDeadJob, { id })
    yield* say(put, json, (job) => `${job.id} is in the queue again.`)
  })

const list = (options: { readonly limit: number; readonly json: boolean }) =>
  Effect.gen(function* () {
    const found = yield* administer((all) => all.deadJobs, { limit: String(options.limit) })
    yield* show(
      found,
      options.json,
      ({ data }) =>
        data.length === 0
          ? ""
          : tableOf(
              [
                { head: "job", cell: (entry) => entry.id },
                { head: "account", cell: (entry) => entry.account },
                { head: "attempts", cell: (entry) => entry.attempts },
                { head: "reason", cell: (entry) => entry.reason },
              ],
              data,
            ),
      ({ data, has_more }) =>
        data.length === 0 ? "No job was set aside." : has_more ? "More with a larger --limit" : null,
    )
  })

const dead = Command.make("dead", { retry, limit, json }, (options) =>
  Option.match(options.retry, {
    onNone: () => list(options),
    onSome: (id) => requeue(id, options.json),
  }),
).pipe(Command.withDescription("List the jobs that were set aside, with the reason, or put one back."))

export const jobs = Command.make("jobs").pipe(
  Command.withDescription(groups.jobs),
  Command.withSubcommands([...jobCommands, dead]),
)

export const jobsPage: Page = {
  name: "jobs",
  descriptor: jobs.descriptor,
  examples: ["earmark jobs list", 'earmark jobs show "$JOB" --wait'],
  children: [
    ...jobPages,
    {
      name: "dead",
      descriptor: dead.descriptor,
      examples: ["earmark jobs dead --json", 'earmark jobs dead --retry "$JOB"'],
      children: [],
    },
  ],
}
