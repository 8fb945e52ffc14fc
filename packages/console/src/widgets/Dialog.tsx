import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { sentenceOf } from "../cache.js"
import { mustSignInAgain, noteFailure } from "../session.js"
import { words } from "../words.js"
import { Button } from "./Button.js"
import { Failure } from "./States.js"

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** It can only be left by a button of its own. */
  readonly isFirm?: boolean
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

const FIRST_FIELD = ["input", "select", "textarea"].map((field) => `${field}:not([type=hidden])`).join()
const WAY_OUT = "footer button"

/** A dialog of the platform: it holds the focus, Esc closes it, and the focus goes back where it was. */
export const Dialog = ({ title, onClose, isFirm = false, isWide = false, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // The first thing to do in it, and not the button that closes it.
    shown?.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
    if (shown?.querySelector("header")?.contains(document.activeElement) === true)
      shown.querySelector<HTMLElement>(WAY_OUT)?.focus()
    // Closed before it goes: then the platform gives the focus back to where it was.
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={isWide ? "wide" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!isFirm) onClose()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {!isFirm && <Button kind="quiet" icon="close" label={words.app.close} onClick={onClose} />}
      </header>
      {children}
    </dialog>
  )
}

interface DialogFormProps {
  /** What the button says that sends it. */
  readonly action: string
  readonly isBusy?: boolean
  readonly isDanger?: boolean | undefined
  readonly onSubmit: (form: HTMLFormElement) => unknown
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** The form in a dialog, with its two buttons. */
export const DialogForm = ({
  action,
  isBusy = false,
  isDanger = false,
  onSubmit,
  onClose,
  children,
}: DialogFormProps) => (
  <form
    onSubmit={(event) => {
      event.preventDefault()
      void onSubmit(event.currentTarget)
    }}
  >
    {children}
    <footer>
      <Button onClick={onClose}>{words.app.cancel}</Button>
      <Button type="submit" kind={isDanger ? "danger" : "primary"} isBusy={isBusy}>
        {action}
      </Button>
    </footer>
  </form>
)

interface ConfirmProps {
  readonly title: string
  readonly text: string
  readonly action: string
  /** What the way out is called, where the action is to cancel something. */
  readonly keep?: string
  readonly onClose: () => void
  readonly onConfirm: () => Promise<unknown>
}

/** Asks once before something that cannot be undone. */
export const Confirm = ({ title, text, action, keep, onClose, onConfirm }: ConfirmProps) => {
  const work = useWork()
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {work.error !== undefined && <Failure text={work.error} />}
      <footer>
        <Button onClick={onClose}>{keep ?? words.app.cancel}</Button>
        <Button
          kind="danger"
          isBusy={work.isBusy}
          onClick={() =>
            void work.run(async () => {
              await onConfirm()
              onClose()
            })
          }
        >
          {action}
        </Button>
      </footer>
    </Dialog>
  )
}

/** One piece of work at a time, with its error. */
export const useWork = () => {
  const isBusy = useSignal(false)
  const error = useSignal<string | undefined>(undefined)
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (isBusy.peek()) return
    isBusy.value = true
    error.value = undefined
    try {
      await work()
    } catch (failure) {
      noteFailure(failure)
      // It is asked for in a dialog of its own.
      if (!mustSignInAgain.peek()) error.value = sentenceOf(failure)
    } finally {
      isBusy.value = false
    }
  }
  const forget = () => {
    error.value = undefined
  }
  return { isBusy: isBusy.value, error: error.value, run, forget }
}
