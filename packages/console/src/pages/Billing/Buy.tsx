import { useSignal } from "@preact/signals"
import { credits, entries, purchases } from "../../data.js"
import { orderOf } from "../../format.js"
import { canReload, earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { useWork } from "../../widgets/Dialog.js"
import { NumberField } from "../../widgets/NumberField.js"
import { Failure, Notice } from "../../widgets/States.js"
import { building } from "../../words/building.js"

const text = building.billing
const USUAL = 600
const CAN_BE_PAID = ["pending", "action_required"]

/** Begins a purchase. What was paid is known from the service alone. */
export const Buy = () => {
  const amount = useSignal(USUAL)
  const checkout = useSignal<string | null>(null)
  const isPaid = useSignal(false)
  const ordered = useSignal<string | null>(null)
  const work = useWork()
  const made = purchases.use([]).value?.data.find(({ id }) => id === ordered.value)
  const buy = () =>
    work.run(async () => {
      const begun = await earmark.credits.purchase({ credits: amount.peek() })
      isPaid.value = begun.state === "succeeded"
      checkout.value = begun.checkout_url
      ordered.value = begun.state === "succeeded" ? null : begun.id
      await Promise.all([credits.refresh([]), entries.refreshAll(), purchases.refresh([])])
    })
  return (
    <section class="card stack">
      <h2>{text.buy}</h2>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void buy()
        }}
      >
        <NumberField
          label={text.amount}
          help={canReload() ? text.priceAtCheckout : text.priceByHand}
          value={USUAL}
          min={1}
          max={1_000_000}
          onChange={(credits) => {
            amount.value = credits ?? 0
            ordered.value = null
            checkout.value = null
            isPaid.value = false
          }}
        />
        <Button type="submit" kind="primary" isBusy={work.isBusy} disabled={amount.value === 0}>
          {text.buySubmit(amount.value)}
        </Button>
      </form>
      {work.error !== undefined && <Failure text={work.error} />}
      {(isPaid.value || made?.state === "succeeded") && <Notice kind="good">{text.bought}</Notice>}
      {made?.state === "pending" && checkout.value === null && (
        <Notice>{text.ordered(orderOf(made.id))}</Notice>
      )}
      {made !== undefined && CAN_BE_PAID.includes(made.state) && checkout.value !== null && (
        <Notice>
          <p>{text.pending}</p>
          <a class="button" href={checkout.value} target="_blank" rel="noreferrer">
            {text.pay}
          </a>
        </Notice>
      )}
    </section>
  )
}
