/** Where the focus goes by itself. */

/** What had the focus last, and all around it. */
let last: ReadonlyArray<Element> = []

const around = (element: Element): ReadonlyArray<Element> => [
  element,
  ...(element.parentElement === null ? [] : around(element.parentElement)),
]

const give = (element: HTMLElement): void => {
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true })
  }
  element.focus({ preventScroll: true })
}

/** When what has the focus goes away, what was around it has it: it does not fall back to the beginning of the page. */
const catchFocus = (): void => {
  if (document.activeElement !== document.body || last[0]?.isConnected !== false) return
  const left = last.find((element) => element.isConnected)
  // All of the page is no place to be seen: its title is.
  const seen = left?.id === "main" ? (left.querySelector("h1") ?? left) : left
  if (seen instanceof HTMLElement && seen !== document.body) give(seen)
}

/** Menus close when the focus leaves them. */
const closeMenus = (target: Element): void => {
  for (const menu of document.querySelectorAll("details.menu[open]"))
    if (!menu.contains(target)) menu.removeAttribute("open")
}

/** So they do with Escape; the focus stays at what opened them. */
const closeMenuWithEscape = ({ key, target }: KeyboardEvent): void => {
  const menu = key === "Escape" && target instanceof Element ? target.closest("details.menu[open]") : null
  menu?.removeAttribute("open")
  menu?.querySelector("summary")?.focus()
}

export const keepFocus = (): void => {
  document.addEventListener("keydown", closeMenuWithEscape)
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element)) return
    last = around(target)
    closeMenus(target)
  })
  new MutationObserver(catchFocus).observe(document.body, { childList: true, subtree: true })
}
