/** Makes one line of the text editable until it is left. The page itself never is. */
import type { Left } from "./operations.js"

interface LineEditing {
  readonly draft: string | null
  /** Where the caret begins, in characters before the end of the line. */
  readonly fromEnd: number
  readonly label: string
  readonly onInput: (text: string) => void
  readonly onLeft: (left: Left) => void
  /** Whether it can be split so; where it cannot, it is not left. */
  readonly maySplit?: (left: Left) => boolean
  /** Esc; false where it is to leave the line as it was. */
  readonly onEscape: () => boolean
}

/** What can be done with a line that is being edited, for those who have no such keys. */
export interface Editing {
  readonly save: () => void
  readonly cancel: () => void
  /** At the caret; where something is selected, it is only saved. */
  readonly split: () => void
  /** With the line above. */
  readonly join: () => void
  /** The line goes: nothing is saved, and what it says is handed to `onInput` once more. Answers where the caret was, from the end. */
  readonly setAside: () => number
}

/** The caret, in characters of the line; null where something is selected. */
const caretIn = (element: HTMLElement): number | null => {
  const selection = getSelection()
  if (selection === null || !selection.isCollapsed || selection.anchorNode === null) return null
  const range = new Range()
  range.selectNodeContents(element)
  range.setEnd(selection.anchorNode, selection.anchorOffset)
  return String(range).length
}

const TOOLS = "[data-line-tools]"
const toolsOf = () => document.querySelectorAll<HTMLElement>(`${TOOLS} button`)

export const editLine = (
  element: HTMLElement,
  { draft, fromEnd, label, onInput, onLeft, maySplit, onEscape }: LineEditing,
): Editing => {
  const before = element.textContent ?? ""
  const stop = new AbortController()
  const { signal } = stop
  const textNow = () => element.textContent ?? ""
  const leave = (left: Left) => {
    if (signal.aborted) return
    stop.abort()
    element.removeAttribute("contenteditable")
    element.removeAttribute("role")
    element.removeAttribute("aria-label")
    element.classList.remove("editing")
    // One text node: places in the line are counted in it.
    element.textContent = left.text
    onLeft(left)
  }
  const stay = (left: Left) => {
    leave(left)
    element.focus({ preventScroll: true })
  }
  const done = () => stay({ type: "done", text: textNow() })
  const cancel = () => stay({ type: "done", text: before })
  const split = () => {
    const at = caretIn(element)
    if (at === null) return done()
    const left = { type: "split", text: textNow(), at } as const
    if (maySplit?.(left) !== false) stay(left)
  }
  const join = () => stay({ type: "merge", text: textNow() })
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation()
    // Enter that ends a composition is not the end of the line.
    if (event.isComposing) return
    if (event.key === "Escape") {
      event.preventDefault()
      if (event.shiftKey || !onEscape()) cancel()
    } else if (event.key === "Enter") {
      event.preventDefault()
      if (event.ctrlKey || event.metaKey) split()
      else done()
    } else if (event.key === "Backspace" && caretIn(element) === 0) {
      event.preventDefault()
      join()
    } else if (event.key === "Tab" && !event.shiftKey) {
      const [first] = toolsOf()
      if (first === undefined) return
      event.preventDefault()
      first.focus()
    }
  }
  /** From its buttons one comes back to the line. */
  const onToolsKey = (event: KeyboardEvent) => {
    const { target } = event
    if (!(target instanceof Element) || target.closest(TOOLS) === null) return
    if (event.key === "Escape") cancel()
    else if (event.key !== "Tab" || !event.shiftKey || target !== toolsOf()[0]) return
    else element.focus({ preventScroll: true })
    event.preventDefault()
  }
  element.setAttribute("contenteditable", "plaintext-only")
  element.setAttribute("role", "textbox")
  element.setAttribute("aria-label", label)
  element.classList.add("editing")
  if (draft !== null) element.textContent = draft
  element.addEventListener("keydown", onKey, { signal })
  element.addEventListener("input", () => onInput(textNow()), { signal })
  // The buttons of the line are a part of it, also for the keyboard.
  const onLeave = ({ relatedTarget }: FocusEvent) => {
    const to = relatedTarget instanceof Element ? relatedTarget : null
    if (to === element || to?.closest(TOOLS) != null) return
    leave({ type: "done", text: textNow() })
  }
  element.addEventListener("blur", onLeave, { signal })
  document.addEventListener("keydown", onToolsKey, { signal })
  document.addEventListener(
    "focusout",
    (event) => {
      if (event.target instanceof Element && event.target.closest(TOOLS) !== null) onLeave(event)
    },
    { signal },
  )
  element.focus({ preventScroll: true })
  const { firstChild } = element
  if (firstChild !== null) getSelection()?.collapse(firstChild, Math.max(0, textNow().length - fromEnd))
  const setAside = (): number => {
    const { length } = textNow()
    const at = caretIn(element) ?? length
    if (!signal.aborted) onInput(textNow())
    stop.abort()
    return length - at
  }
  return { save: done, cancel, split, join, setAside }
}
