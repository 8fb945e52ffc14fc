/** What all pages of the operator have: a head, the way to the others, and the command behind them. */
import type { ComponentChildren } from "preact"
import type { PageName } from "../../addresses.js"
import { query, setQuery } from "../../router.js"
import { Button } from "../../widgets/Button.js"
import { Copy } from "../../widgets/Once.js"
import { PageHead } from "../../widgets/Page.js"
import { Tabs } from "../../widgets/Tabs.js"
import { operating as text } from "../../words/operating.js"

const TABS = ["operator", "operatorAccounts", "operatorOrders", "operatorJobs", "operatorServer"] as const

/** The command that does the same, and the answer as it came. */
const Behind = ({ commands, answer }: { readonly commands: string; readonly answer: unknown }) => {
  const json = () => JSON.stringify(answer, null, 2)
  return (
    <details class="behind">
      <summary>{text.behind}</summary>
      <section class="sample">
        <header>
          <h2>{text.command}</h2>
          <Copy text={commands} />
        </header>
        <pre tabIndex={0}>
          <code>{commands}</code>
        </pre>
      </section>
      {answer !== undefined && (
        <section class="sample">
          <header>
            <h2>{text.answer}</h2>
            <Copy text={json} />
          </header>
          <pre tabIndex={0}>
            <code>{json()}</code>
          </pre>
        </section>
      )}
    </details>
  )
}

interface FrameProps {
  readonly title: string
  readonly text: string
  readonly page: PageName
  /** The commands that do the same, a line each. */
  readonly commands: ReadonlyArray<string>
  readonly answer: unknown
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export const Frame = ({ title, text: lede, page, commands, answer, actions, children }: FrameProps) => (
  <>
    <PageHead title={title} text={lede} calls={[]}>
      {actions}
    </PageHead>
    <Tabs
      label={text.views}
      tabs={TABS.map((each) => ({
        label: text.tabs[each],
        to: each,
        isCurrent: each === page || (each === "operatorAccounts" && page === "operatorAccount"),
      }))}
    />
    <div class="operated">
      {children}
      <Behind commands={commands.join("\n")} answer={answer} />
    </div>
  </>
)

/** Where a list begins: the address says it, so that a reload stays there. */
export const cursorOf = (): string | null => query.value.get("cursor")

/** Goes to the next page of a list, and back to the first. */
export const Turn = ({ next }: { readonly next: string | null | undefined }) => {
  const isFirst = cursorOf() === null
  if (isFirst && (next ?? null) === null) return null
  return (
    <p class="more">
      {!isFirst && <Button onClick={() => setQuery({ cursor: null })}>{text.first}</Button>}{" "}
      {(next ?? null) !== null && <Button onClick={() => setQuery({ cursor: next })}>{text.next}</Button>}
    </p>
  )
}
