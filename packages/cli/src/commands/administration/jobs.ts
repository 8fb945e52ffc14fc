import { Effect } from "effect"
import type { Given } from "../../grammar/Grammar.js"
import type { jobs } from "../../grammar/transcripts.js"
import { tableOf } from "../../table.js"
import { administer, say, show } from "./administer.js"

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
        tableOf(
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

export const dead = (options: Given<typeof jobs.commands.dead>) =>
  options.retry === undefined ? list(options) : requeue(options.retry, options.json)
