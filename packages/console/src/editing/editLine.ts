/** Makes one line of the text editable until it is left. The page itself never is. */
import type { Left } from "./operations.js"

interface LineEditing {
  readonly draft: string | null
  readonly label: string
  readonly onInput: (text: string) => void
  readonly onLeft: (left: Left) => void
  /** Esc; false where it is to leave the line as it was. */
  readonly onEscape: () => boolean
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

export const editLine = (
  element: HTMLElement,
  { draft, label, onInput, onLeft, onEscape }: LineEditing,
): void => {
  const before = element.textContent ?? ""
  const stop = new AbortController()
  const { signal } = stop
  const textNow = () => element.textContent ?? ""
  const leave = (left: Left) => {
    stop.abort()
    element.removeAttribute("contenteditable")
    element.removeAttribute("role")
    element.removeAttribute("aria-label")
    element.classList.remove("editing")
    // One text node: places in the line are counted in it.
    element.textContent = left.text
    onLeft(left)
  }
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation()
    // Enter that ends a composition is not the end of the line.
    if (event.isComposing) return
    const text = textNow()
    if (event.key === "Escape") {
      event.preventDefault()
      if (!onEscape()) leave({ type: "done", text: before })
    } else if (event.key === "Enter") {
      event.preventDefault()
      const at = event.ctrlKey || event.metaKey ? caretIn(element) : null
      leave(at === null ? { type: "done", text } : { type: "split", text, at })
      element.focus({ preventScroll: true })
    } else if (event.key === "Backspace" && caretIn(element) === 0) {
      event.preventDefault()
      leave({ type: "merge", text })
    }
  }
  element.setAttribute("contenteditable", "plaintext-only")
  element.setAttribute("role", "textbox")
  element.setAttribute("aria-label", label)
  element.classList.add("editing")
  if (draft !== null) element.textContent = draft
  element.addEventListener("keydown", onKey, { signal })
  element.addEventListener("input", () => onInput(textNow()), { signal })
  element.addEventListener("blur", () => leave({ type: "done", text: textNow() }), { signal })
  element.focus({ preventScroll: true })
  getSelection()?.selectAllChildren(element)
  getSelection()?.collapseToEnd()
}
