/** Credits: what is left, buying more, and where they went. */
import type { Credits, Purchase } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { credits, purchases } from "../../data.js"
import { agoOf, numberOf } from "../../format.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { making } from "../../words/making.js"
import { Buy } from "./Buy.js"
import { Ledger } from "./Ledger.js"
import { Reload } from "./Reload.js"

const text = building.billing
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
        {(of) =>
          of.billing === false ? (
            <Empty title={making.new.free} text={text.free} />
          ) : (
            <>
              <Figures of={of} />
              <div class="paying">
                <Buy isWaiting={isWaiting} />
                <Reload key={JSON.stringify(of.auto_reload)} of={of.auto_reload} onChange={loaded.reload} />
                <Purchases />
              </div>
              <Ledger />
            </>
          )
        }
      </LoadedView>
    </>
  )
}
