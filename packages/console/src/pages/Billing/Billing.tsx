/** Credits: what is left, buying more, and where they went. */
import type { Credits, LedgerEntry, Purchase } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { credits, entries, purchases } from "../../data.js"
import { agoOf, momentOf, numberOf } from "../../format.js"
import { Link } from "../../router.js"
import { More } from "../../widgets/More.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { words } from "../../words.js"
import { Buy } from "./Buy.js"
import { Reload } from "./Reload.js"

const text = words.billing
const CALLS = [
  { name: "credits.get" },
  { name: "credits.entries" },
  { name: "credits.purchase", body: { credits: 600 } },
]

const Figures = ({ of }: { readonly of: Credits }) => (
  <div class="figures">
    <p>
      <strong>{numberOf(of.available)}</strong> {text.available}
    </p>
    <p>
      <strong>{numberOf(of.held)}</strong> {text.held}
    </p>
    <p>
      <strong>{numberOf(of.balance)}</strong> {text.balance}
    </p>
  </div>
)

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

const Ledger = () => {
  const limit = useSignal(20)
  const loaded = entries.use([limit.value])
  return (
    <section>
      <h2>{text.ledger}</h2>
      <LoadedView of={loaded}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty title={text.empty} />
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

const KINDS: Readonly<Record<Purchase["state"], string>> = {
  pending: "warn",
  processing: "warn",
  action_required: "warn",
  succeeded: "good",
  failed: "bad",
}

const Purchases = () => {
  const found = purchases.use([]).value?.data ?? []
  if (found.length === 0) return null
  return (
    <section class="card">
      <h2>{text.purchases}</h2>
      <ul class="rows">
        {found.map((each) => (
          <li key={each.id}>
            <strong>{numberOf(each.credits)}</strong>
            <span class={`badge ${KINDS[each.state]}`}>{text.states[each.state]}</span>
            <span class="soft">{agoOf(each.created_at)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export const Page = () => {
  const isWaiting = useSignal(false)
  const loaded = credits.use([], { every: isWaiting.value ? 2000 : undefined })
  return (
    <>
      <PageHead title={text.title} text={text.text} calls={CALLS} />
      <LoadedView of={loaded}>
        {(of) => (
          <>
            <Figures of={of} />
            <div class="paying">
              <Buy isWaiting={isWaiting} />
              <Reload key={JSON.stringify(of.auto_reload)} of={of.auto_reload} onChange={loaded.reload} />
              <Purchases />
            </div>
            <Ledger />
          </>
        )}
      </LoadedView>
    </>
  )
}
