import type { CreateTranscription, TranscribeFeed } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { quote, useIsFree } from "../../data.js"
import { numberOf } from "../../format.js"
import { isOfCredits } from "../../live.js"
import { Link } from "../../router.js"
import { LoadedView } from "../../widgets/States.js"
import { making } from "../../words/making.js"
import { words } from "../../words.js"

const text = making.new
const PAUSE = 300

/** What it costs: null where that cannot be told; `isAtLeast` where the length of some is not known beforehand. */
export interface Priced {
  readonly credits: number | null
  readonly isAtLeast: boolean
}

interface PriceProps {
  /** Several have one price together. */
  readonly asked: ReadonlyArray<CreateTranscription | TranscribeFeed>
  /** Told the price; null while it is asked for. */
  readonly price: Signal<Priced | null>
  /** Told why there is none. */
  readonly refusal: Signal<string | undefined>
}

/** What this would cost, asked for again a moment after each change. */
export const Price = ({ asked, price, refusal }: PriceProps) => {
  const settled = useSignal(asked)
  const key = JSON.stringify(asked)
  useEffect(() => {
    price.value = null
    const timer = setTimeout(() => {
      settled.value = asked
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      price.value = null
    }
  }, [key])
  const isNew = JSON.stringify(settled.value) !== key
  return isNew ? (
    <p class="price soft">{text.pricing}</p>
  ) : (
    <Quoted asked={settled.value} price={price} refusal={refusal} />
  )
}

const Quoted = ({ asked, price, refusal }: PriceProps) => {
  const loaded = quote.use([asked], { when: isOfCredits })
  const isFree = useIsFree()
  const found = isFree ? null : (loaded.value?.credits ?? null)
  const unknown = loaded.value?.unknown_lengths ?? 0
  const isAnswered = loaded.value !== undefined || loaded.error !== undefined
  useEffect(() => {
    price.value = isAnswered ? { credits: found, isAtLeast: unknown > 0 } : null
  }, [isAnswered, found, unknown])
  useEffect(() => {
    refusal.value = loaded.error
    return () => {
      refusal.value = undefined
    }
  }, [loaded.error])
  return (
    <LoadedView of={loaded}>
      {({ credits: found, minutes, cached, balance_after, unknown_because }) => (
        <div class="price" role="status">
          {isFree ? (
            <p class="soft">
              {text.free}
              {minutes === null
                ? unknown_because !== undefined && ` ${unknown_because}`
                : ` ${text.length(minutes)}`}
            </p>
          ) : found === null ? (
            <p>{unknown_because ?? text.unknownPrice}</p>
          ) : (
            <p>
              <strong>{numberOf(found)}</strong> {words.app.credits(found)}
              {minutes !== null && <span class="soft"> · {words.list.minutes(minutes)}</span>}
            </p>
          )}
          {unknown > 0 && !isFree && <p class="soft">{text.unknownLengths(unknown)}</p>}
          {cached && <p class="soft">{text.cached}</p>}
          {!isFree && balance_after !== null && (
            <p class={balance_after < 0 ? undefined : "soft"}>
              {balance_after < 0 ? (
                <>
                  {text.short(-balance_after)} <Link to="billing">{text.buy}</Link>
                </>
              ) : (
                text.afterwards(balance_after)
              )}
            </p>
          )}
        </div>
      )}
    </LoadedView>
  )
}
