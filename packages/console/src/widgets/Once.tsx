import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { words } from "../words.js"
import { Button } from "./Button.js"

/** Copies a text, and says so for a moment. */
export const Copy = ({
  text,
  label,
}: {
  readonly text: string | (() => string)
  readonly label?: string
}) => {
  const isCopied = useSignal(false)
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === "string" ? text : text())
    isCopied.value = true
    timer.current = window.setTimeout(() => {
      isCopied.value = false
    }, 2000)
  }
  return (
    <Button icon={isCopied.value ? "check" : "copy"} onClick={() => void copy()}>
      {isCopied.value ? words.app.copied : (label ?? words.app.copy)}
    </Button>
  )
}

interface OnceProps {
  readonly label: string
  readonly value: string
}

interface KeptProps extends OnceProps {
  readonly text: string
  readonly onClose: () => void
}

/** What a dialog shows once, until somebody says that it is kept. */
export const Kept = ({ text, label, value, onClose }: KeptProps) => (
  <>
    <p>{text}</p>
    <Once label={label} value={value} />
    <footer>
      <Button kind="primary" onClick={onClose}>
        {words.app.kept}
      </Button>
    </footer>
  </>
)

/** A secret that is shown once. It is in this field alone, and goes with it. */
const Once = ({ label, value }: OnceProps) => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <div class="once">
      <input
        ref={field}
        readOnly
        aria-label={label}
        value={value}
        autocomplete="off"
        spellcheck={false}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Copy text={value} />
    </div>
  )
}
