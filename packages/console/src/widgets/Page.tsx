import { useSignal } from "@preact/signals"
import type { ComponentChildren, ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import type { CallShown } from "../calls.js"
import { isLibrary } from "../session.js"
import { words } from "../words.js"
import { Button } from "./Button.js"
import { Dialog } from "./Dialog.js"
import { NewVersion } from "./NewVersion.js"
import { Loading } from "./States.js"

interface SamplesProps {
  readonly of: ReadonlyArray<CallShown>
}

interface CallsProps {
  readonly calls: ReadonlyArray<CallShown>
  readonly onClose: () => void
}

/** The samples are loaded when they are asked for: every page has them, and few readers look. */
const Calls = ({ calls, onClose }: CallsProps) => {
  const loaded = useSignal<{ readonly Samples: ComponentType<SamplesProps> } | "failed" | null>(null)
  useEffect(() => {
    import("./Samples.js").then(
      ({ Samples }) => {
        loaded.value = { Samples }
      },
      () => {
        loaded.value = "failed"
      },
    )
  }, [])
  const shown = () => {
    if (loaded.value === null) return <Loading />
    if (loaded.value === "failed") return <NewVersion />
    const { Samples } = loaded.value
    return <Samples of={calls} />
  }
  return (
    <Dialog title={words.app.apiTitle} onClose={onClose} isWide>
      <p class="soft">{words.app.apiText}</p>
      {shown()}
    </Dialog>
  )
}

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
