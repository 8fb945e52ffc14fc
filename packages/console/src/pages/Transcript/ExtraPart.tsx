import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { mayWrite } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Failure, Notice } from "../../widgets/States.js"
import { extrasWords } from "../../words/extras.js"
import { words } from "../../words.js"
import { type Extra, isLacking } from "./useExtras.js"

const text = extrasWords

interface ExtraPartProps {
  readonly extra: Extra | undefined
  /** What the button says where nothing was made yet. */
  readonly action: string
  readonly isBusy: boolean
  readonly onMake: () => void
}

/** Tells who hears the page that what they have waited for is there. */
const Ready = ({ status }: { readonly status: Extra["status"] | undefined }) => {
  const said = useSignal("")
  const before = useRef(status)
  useEffect(() => {
    if (status !== before.current) said.value = status === "done" ? text.ready : ""
    before.current = status
  }, [status])
  return (
    <p class="hidden" role="status">
      {said.value}
    </p>
  )
}

/** How an extra fares, and the button that has it made. */
export const ExtraPart = ({ extra, action, isBusy, onMake }: ExtraPartProps) => (
  <>
    <Ready status={extra?.status} />
    {extra?.status === "failed" && <Failure text={extra.error ?? words.failed.unknown} />}
    {extra?.status === "pending" && <Notice>{text.pending}</Notice>}
    {extra?.stale === true && <Notice kind="warn">{text.stale}</Notice>}
    {mayWrite() && isLacking(extra) && (
      <p>
        <Button isBusy={isBusy} onClick={onMake}>
          {extra === undefined ? action : text.makeAgain}
        </Button>
      </p>
    )}
  </>
)
