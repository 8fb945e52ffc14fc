/** Credits: what is left, buying more, and where they went. */
import type { Credits, Purchase } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { credits, entries, purchases } from "../../data.js"
import { moneyOf, numberOf, orderOf } from "../../format.js"
import { isOfCredits } from "../../live.js"
import { earmark, may } from "../../session.js"
import { Ago } from "../../widgets/Ago.js"
import { Button } from "../../widgets/Button.js"
import { Confirm } from "../../widgets/Dialog.js"
import { MayNot } from "../../widgets/MayNot.js"
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
  canceled: "",
}

const OPEN: ReadonlyArray<Purchase["state"]> = ["pending", "processing", "action_required"]

const isOpen = ({ state }: Purchase): boolean => OPEN.includes(state)

/** Of a provider is what has a price: it is paid or left there. */
const canCancel = ({ state, price }: Purchase): boolean =>
  state === "pending" && price === null && may("billing:write")

/** Milliseconds between two looks at what is not paid yet. */
const LOOKS = 5000

const Purchases = ({ onPaid }: { readonly onPaid: () => void }) => {
  const isWaiting = useSignal(false)
  const every = isWaiting.value ? LOOKS : undefined
  const found = purchases.use([], { every, when: isOfCredits, isSure: true }).value?.data ?? []
  const open = found.filter(isOpen).length
  const before = useRef(open)
  const canceled = useSignal<Purchase | null>(null)
  useEffect(() => {
    isWaiting.value = open > 0
    if (open < before.current) onPaid()
    before.current = open
  }, [open])
  if (found.length === 0) return null
  return (
    <section class="card">
      <h2>{text.purchases}</h2>
      <ul class="rows">
        {found.map((each) => (
          <li key={each.id}>
            <span>{text.order(orderOf(each.id))}</span>
            <strong>{numberOf(each.credits)}</strong>
            {each.price != null && <span>{moneyOf(each.price)}</span>}
            <span class={`badge ${KINDS[each.state]}`}>{text.states[each.state]}</span>
            <span class="soft">
              <Ago of={each.created_at} />
            </span>
            {canCancel(each) && (
              <Button
                label={text.cancelLabel(orderOf(each.id))}
                onClick={() => {
                  canceled.value = each
                }}
              >
                {text.cancel}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {canceled.value !== null && (
        <Confirm
          title={text.cancelTitle(orderOf(canceled.value.id), canceled.value.credits)}
          text={text.cancelText}
          action={text.cancel}
          keep={text.keep}
          onClose={() => {
            canceled.value = null
          }}
          onConfirm={async () => {
            await earmark.credits.cancelPurchase(canceled.peek()?.id ?? "")
            await purchases.refresh([])
          }}
        />
      )}
    </section>
  )
}

export const Page = () => {
  const loaded = credits.use([], { when: isOfCredits })
  const onPaid = () => {
    loaded.reload()
    entries.refreshAll()
  }
  return (
    <>
      <PageHead
        title={text.title}
        {...(loaded.value?.billing === true && { text: text.text })}
        calls={CALLS}
      />
      <LoadedView of={loaded}>
        {(of) =>
          of.billing === false ? (
            <Empty title={making.new.free} text={text.free} />
          ) : (
            <>
              <Figures of={of} />
              <div class="paying">
                {may("billing:write") ? (
                  <>
                    <Buy />
                    <Reload of={of.auto_reload} onChange={loaded.reload} />
                  </>
                ) : (
                  <MayNot scope="billing:write" />
                )}
                <Purchases onPaid={onPaid} />
              </div>
              <Ledger />
            </>
          )
        }
      </LoadedView>
    </>
  )
}
