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
}

export const LinkField = ({ link, isFeed }: LinkFieldProps) => (
  <section class="stack">
    <Field label={text.link} help={text.linkHelp}>
      {(facts) => (
        <input
          {...facts}
          inputMode="url"
          placeholder="https://"
          autocomplete="off"
          value={link.value}
          onInput={({ currentTarget }) => {
            link.value = currentTarget.value
          }}
        />
      )}
    </Field>
    {link.value !== "" && (
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
