/** Assistants: how to connect one. */
import { Copy } from "../../widgets/Once.js"
import { PageHead } from "../../widgets/Page.js"
import { words } from "../../words.js"

const text = words.agents

export const Page = () => {
  const address = `${location.origin}/api/mcp`
  return (
    <>
      <PageHead title={text.title} text={text.text} calls={[]} />
      <section class="card narrow">
        <h2>{text.connect}</h2>
        <p class="soft">{text.connectText}</p>
        <div class="once">
          <input
            readOnly
            aria-label={text.address}
            value={address}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <Copy text={address} />
        </div>
      </section>
    </>
  )
}
