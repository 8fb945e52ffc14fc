import { Command, Options } from "@effect/cli"
import { DateTime, Effect, Option } from "effect"
import { usage as wrong } from "../../CommandFailed.js"
import type { Page } from "../../help.js"
import { ask } from "../../remote/ask.js"
import { tableOf } from "../../table.js"
import { json, show } from "../administration/administer.js"
import { where } from "./options.js"

const from = Options.text("from").pipe(
  Options.withDescription("Since when: a day or an RFC 3339 time; thirty days ago when left out."),
  Options.optional,
)

const to = Options.text("to").pipe(
  Options.withDescription("Until when, likewise; now when left out."),
  Options.optional,
)

const by = Options.choice("by", ["day", "month", "key"]).pipe(
  Options.withDescription("What to add up by (default day)."),
  Options.withDefault("day"),
)

const timeOf = (option: string, given: Option.Option<string>) =>
  Option.match(given, {
    onNone: () => Effect.succeed(undefined),
    onSome: (text) =>
      Option.match(DateTime.make(text), {
        onNone: () => Effect.fail(wrong(`${option} needs a day such as 2026-01-31, and "${text}" is none.`)),
        onSome: (time) => Effect.succeed(DateTime.formatIso(time)),
      }),
  })

export const usage = Command.make("usage", { ...where, from, to, by, json }, (options) =>
  Effect.gen(function* () {
    const asked = {
      from: yield* timeOf("--from", options.from),
      to: yield* timeOf("--to", options.to),
      group_by: options.by,
    }
    const used = yield* ask(options, (client, { signal }) => client.credits.usage(asked, { signal }))
    yield* show(used, options.json, ({ data, total }) =>
      tableOf(
        [
          { head: options.by, cell: (row) => row.group },
          { head: "transcriptions", cell: (row) => row.transcriptions },
          { head: "minutes", cell: (row) => row.minutes },
          { head: "credits", cell: (row) => row.credits },
        ],
        [...data, { group: "total", ...total }],
      ),
    )
  }),
).pipe(Command.withDescription("Show what was used, by day, month or key."))

export const usagePage: Page = {
  name: "usage",
  descriptor: usage.descriptor,
  examples: ["earmark usage --by month --from 2026-01-01"],
  children: [],
}
