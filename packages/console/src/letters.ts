/** Single letters that do something wherever the focus is. People who speak to their machine can switch them off. */
import { effect, signal } from "@preact/signals"

const KEPT = "earmark-letters"

/** Whether they do anything. */
export const lettersOn = signal(localStorage.getItem(KEPT) !== "off")

effect(() => {
  if (lettersOn.value) localStorage.removeItem(KEPT)
  else localStorage.setItem(KEPT, "off")
})

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input,textarea,select,dialog") !== null)

const anywhere = () => true

/** Calls back when a letter is pressed outside of fields and dialogs, and where it may. Answers how to stop that. */
export const onLetter = (
  letter: string,
  run: () => void,
  mayAt: (target: Element) => boolean = anywhere,
): (() => void) => {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== letter || event.ctrlKey || event.metaKey || event.altKey) return
    if (!lettersOn.peek() || isTyping(event.target)) return
    if (event.target instanceof Element && !mayAt(event.target)) return
    event.preventDefault()
    run()
  }
  addEventListener("keydown", onKey)
  return () => removeEventListener("keydown", onKey)
}
