/** The lines of the account; the address says which. */

import type { LedgerEntry } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { entries } from "../../data.js"
import { agoOf, momentOf, numberOf } from "../../format.js"
import { isOfCredits } from "../../live.js"
import { Link, query, setQuery } from "../../router.js"
import { Dates, dayIn, spanOf } from "../../widgets/Dates.js"
import { Field } from "../../widgets/Field.js"
import { More } from "../../widgets/More.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { words } from "../../words.js"

const text = words.billing
const KINDS = ["signup", "purchase", "reload", "settlement", "refund", "adjustment"] as const

const signed = (amount: number): string => (amount > 0 ? `+${numberOf(amount)}` : numberOf(amount))

const Entry = ({ of }: { readonly of: LedgerEntry }) => (
  <tr>
    <td class="soft" title={momentOf(of.created_at)}>
      {agoOf(of.created_at)}
    </td>
    <td>{text.kinds[of.kind]}</td>
    <td>
      {of.transcription_id !== null && (
        <Link to="transcript" params={{ id: of.transcription_id }}>
          <code>{of.transcription_id}</code>
        </Link>
      )}
    </td>
    <td class={`number ${of.amount > 0 ? "plus" : ""}`}>{signed(of.amount)}</td>
  </tr>
)

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
        <Field label={text.columns.kind}>
          {(facts) => (
            <select
              {...facts}
              value={kind ?? ""}
              onChange={({ currentTarget }) => setQuery({ kind: currentTarget.value })}
            >
              <option value="">{text.anyKind}</option>
              {KINDS.map((each) => (
                <option key={each} value={each}>
                  {text.kinds[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Dates from={from} to={to} />
      </div>
      <LoadedView of={loaded}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty title={isNarrowed ? text.noneFits : text.empty} />
          ) : (
            <>
              <div class="table">
                <table class="cards">
                  <thead>
                    <tr>
                      <th scope="col">{text.columns.time}</th>
                      <th scope="col">{text.columns.kind}</th>
                      <th scope="col">{text.columns.transcript}</th>
                      <th scope="col" class="number">
                        {text.columns.amount}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.map((each) => (
                      <Entry key={each.id} of={each} />
                    ))}
                  </tbody>
                </table>
              </div>
              {has_more && <More limit={limit} />}
            </>
          )
        }
      </LoadedView>
    </section>
  )
}
