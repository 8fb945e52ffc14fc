import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { type CallShown, curlOf, typescriptOf } from "../calls.js"
import { isLibrary } from "../session.js"
import { words } from "../words.js"
import { Button } from "./Button.js"
import { Dialog } from "./Dialog.js"
import { Copy } from "./Once.js"

const Sample = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <section class="sample">
    <header>
      <h3>{name}</h3>
      <Copy text={text} />
    </header>
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  </section>
)

const Calls = ({
  calls,
  onClose,
}: {
  readonly calls: ReadonlyArray<CallShown>
  readonly onClose: () => void
}) => (
  <Dialog title={words.app.apiTitle} onClose={onClose} isWide>
    <p class="soft">{words.app.apiText}</p>
    <Sample name="curl" text={calls.map(curlOf).join("\n\n")} />
    <Sample name="TypeScript" text={calls.map(typescriptOf).join("\n\n")} />
  </Dialog>
)

interface PageHeadProps {
  readonly title: string
  readonly text?: ComponentChildren
  /** What this page asks the API. */
  readonly calls: ReadonlyArray<CallShown>
  readonly children?: ComponentChildren
}

/** The title of a page, what can be done on it, and the calls behind it. */
export const PageHead = ({ title, text, calls, children }: PageHeadProps) => {
  const isOpen = useSignal(false)
  return (
    <header class="head">
      <div>
        <h1 dir="auto">{title}</h1>
        {text !== undefined && <div class="lede">{text}</div>}
      </div>
      <div class="actions">
        {calls.length > 0 && !isLibrary() && (
          <Button
            kind="quiet"
            icon="code"
            onClick={() => {
              isOpen.value = true
            }}
          >
            {words.app.api}
          </Button>
        )}
        {children}
      </div>
      {isOpen.value && (
        <Calls
          calls={calls}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </header>
  )
}
