import type { Signal } from "@preact/signals"
import { Check, Field } from "../../widgets/Field.js"
import { making } from "../../words/making.js"

const text = making.new

/** Whether an address looks like that of a feed. The person has the last word. */
export const isFeedLike = (link: string): boolean =>
  /\.(rss|xml|atom)(\?|$)|\/(feed|rss)(\/|\?|$)|podcasts\.apple\.com/i.test(link)

interface LinkFieldProps {
  readonly link: Signal<string>
  readonly isFeed: Signal<boolean>
  /** With Enter: what the button of the page does. */
  readonly onEnter: () => void
}

/** Whether it can be the address of anything. */
const isAddress = (link: string): boolean => /^(https?:\/\/\S+|[^\s/.]+\.\S+)$/i.test(link.trim())

export const LinkField = ({ link, isFeed, onEnter }: LinkFieldProps) => (
  <section class="stack">
    <Field label={text.link} help={text.linkHelp}>
      {(facts) => (
        <input
          {...facts}
          inputMode="url"
          placeholder="https://"
          autocomplete="off"
          value={link.value}
          onKeyDown={({ key, isComposing }) => {
            if (key === "Enter" && !isComposing) onEnter()
          }}
          onInput={({ currentTarget }) => {
            link.value = currentTarget.value
          }}
        />
      )}
    </Field>
    {isAddress(link.value) && (
      <Check
        checked={isFeed.value}
        onChange={(checked) => {
          isFeed.value = checked
        }}
      >
        {text.isFeed}
      </Check>
    )}
  </section>
)
