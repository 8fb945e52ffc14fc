/** Assistants: how to connect one, and those that were let in. */
import { Copy } from "../../widgets/Once.js"
import { PageHead } from "../../widgets/Page.js"
import { building } from "../../words/building.js"
import { Granted } from "./Granted.js"

const text = building.agents
const CALLS = [{ name: "grants.list" }]

export const Page = () => {
  const address = `${location.origin}/api/mcp`
  return (
    <>
      <PageHead title={text.title} text={text.text} calls={CALLS} />
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
      <Granted />
    </>
  )
}
