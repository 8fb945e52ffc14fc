/** The lines of the account; the address says which. */

import type { LedgerEntry } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { entries } from "../../data.js"
import { numberOf } from "../../format.js"
import { isOfCredits } from "../../live.js"
import { Link, query, setQuery } from "../../router.js"
import { Ago } from "../../widgets/Ago.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { Dates, dayIn, spanOf } from "../../widgets/Dates.js"
import { SelectField } from "../../widgets/Field.js"
import { More } from "../../widgets/More.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { building } from "../../words/building.js"

const text = building.billing
const KINDS = ["signup", "purchase", "reload", "settlement", "refund", "adjustment"] as const

const signed = (amount: number): string => (amount > 0 ? `+${numberOf(amount)}` : numberOf(amount))

const COLUMNS: ReadonlyArray<Column<LedgerEntry>> = [
  { head: text.columns.time, cell: ({ created_at }) => <Ago of={created_at} /> },
  { head: text.columns.kind, cell: ({ kind }) => text.kinds[kind] },
  {
    head: text.columns.transcript,
    cell: ({ transcription_id }) =>
      transcription_id !== null && (
        <Link to="transcript" params={{ id: transcription_id }}>
          <code>{transcription_id}</code>
        </Link>
      ),
  },
  {
    head: text.columns.amount,
    isNumber: true,
    cell: ({ amount }) => <span class={amount > 0 ? "plus" : undefined}>{signed(amount)}</span>,
  },
]

export const Ledger = () => {
  const limit = useSignal(20)
  const given = query.value
  const kind = KINDS.find((each) => each === given.get("kind"))
  const [from, to] = [dayIn(given, "from"), dayIn(given, "to")]
  const isNarrowed = kind !== undefined || from !== null || to !== null
  const loaded = entries.use([{ limit: limit.value, ...spanOf(from, to), kind }], { when: isOfCredits })
  return (
    <section>
      <h2>{text.ledger}</h2>
      <div class="filters">
        <SelectField
          label={text.columns.kind}
          value={kind ?? ""}
          options={[["", text.anyKind], ...KINDS.map((each) => [each, text.kinds[each]] as const)]}
          onChange={(next) => setQuery({ kind: next })}
        />
        <Dates from={from} to={to} />
      </div>
      <LoadedView of={loaded}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty title={isNarrowed ? text.noneFits : text.empty} />
          ) : (
            <>
              <DataTable columns={COLUMNS} of={data} keyOf={({ id }) => id} />
              {has_more && <More limit={limit} />}
            </>
          )
        }
      </LoadedView>
    </section>
  )
}
