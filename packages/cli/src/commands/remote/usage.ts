import { DateTime, Effect, Option } from "effect"
import { usage as wrong } from "../../CommandFailed.js"
import type { Given } from "../../grammar/Grammar.js"
import type { usage as usageSpec } from "../../grammar/remote.js"
import { ask } from "../../remote/ask.js"
import { tableOf } from "../../table.js"
import { show } from "../administration/administer.js"
import { noBillingOf } from "../administration/credits.js"

const timeOf = (option: string, given: Option.Option<string>) =>
  Option.match(given, {
    onNone: () => Effect.succeed(undefined),
    onSome: (text) =>
      Option.match(DateTime.make(text), {
        onNone: () => Effect.fail(wrong(`${option} needs a day such as 2026-01-31, not "${text}".`)),
        onSome: (time) => Effect.succeed(DateTime.formatIso(time)),
      }),
  })

export const usage = (options: Given<typeof usageSpec>) =>
  Effect.gen(function* () {
    const asked = {
      from: yield* timeOf("--from", options.from),
      to: yield* timeOf("--to", options.to),
      group_by: options.by,
    }
    const [used, credits] = yield* ask(options, (client, { signal }) =>
      Promise.all([client.credits.usage(asked, { signal }), client.credits.get({ signal })]),
    )
    const table = ({ data, total }: typeof used) =>
      tableOf(
        [
          { head: options.by, cell: (row) => row.group },
          { head: "transcriptions", cell: (row) => row.transcriptions },
          { head: "minutes", cell: (row) => row.minutes },
          { head: "credits", cell: (row) => row.credits },
        ],
        [...data, { group: "total", ...total }],
      )
    yield* show(used, options.json, table, () => noBillingOf(credits))
  })
