import { Effect } from "effect"
import type { Given } from "../../grammar/Grammar.js"
import type { usage as usageSpec } from "../../grammar/remote.js"
import { ask } from "../../remote/target.js"
import { tableOf } from "../../table.js"
import { timeIn } from "../../transcribe/since.js"
import { show } from "../administration/administer.js"
import { noBillingOf } from "../administration/credits.js"

export const usage = (options: Given<typeof usageSpec>) =>
  Effect.gen(function* () {
    const asked = {
      from: yield* timeIn("--from", options.from),
      to: yield* timeIn("--to", options.to),
      group_by: options.by,
    }
    const [used, credits] = yield* ask(options, (client, call) =>
      Promise.all([client.credits.usage(asked, call), client.credits.get(call)]),
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
