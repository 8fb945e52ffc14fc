/** Where the reader is, over the History API. */
import { computed, signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { addressOf, type PageName, type Params, placeOf, type Query } from "./addresses.js"

const here = () => ({ path: location.pathname, search: location.search })

const current = signal(here())

/** The page that is shown; null for an address that is none. */
export const place = computed(() => placeOf(current.value.path))

/** The words after the question mark. */
export const query = computed(() => new URLSearchParams(current.value.search))

/** Whether the page may be left: one that would lose something asks. */
export const leaving = { may: (): boolean => true }

addEventListener("popstate", () => {
  const { path, search } = current.value
  // The address has changed already.
  if (location.pathname !== path && !leaving.may()) history.pushState(null, "", path + search)
  else current.value = here()
})

/** Goes to an address of the console. `replace`: the state before is not one to come back to. */
export const navigate = (address: string, { replace = false } = {}): void => {
  if (address === current.value.path + current.value.search) return
  const before = current.value.path
  if (address.split("?")[0] !== before && !leaving.may()) return
  history[replace ? "replaceState" : "pushState"](null, "", address)
  current.value = here()
  if (before !== current.value.path) {
    scrollTo(0, 0)
    // Who hears the page is told where they are now.
    requestAnimationFrame(() => document.getElementById("main")?.focus({ preventScroll: true }))
  }
}

/** Changes words after the question mark, and stays on the page. `isStep`: one comes back to the words before. */
export const setQuery = (change: Query, { isStep = false } = {}): void => {
  const next = new URLSearchParams(current.value.search)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === null || value === "" || value === false) next.delete(name)
    else next.set(name, String(value))
  }
  const text = next.toString()
  navigate(current.value.path + (text === "" ? "" : `?${text}`), { replace: !isStep })
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

interface LinkProps {
  readonly to: PageName
  readonly params?: Params
  readonly query?: Query
  readonly class?: string
  readonly current?: boolean
  readonly label?: string
  /** Called before the page is opened here; not where it is opened in a tab of its own. */
  readonly onGo?: () => void
  readonly children: ComponentChildren
}

/** A link to a page, which opens without loading everything anew. */
export const Link = ({ to, params = {}, query = {}, current, label, onGo, children, ...rest }: LinkProps) => {
  const href = addressOf(to, params, query)
  return (
    <a
      {...rest}
      href={href}
      aria-label={label}
      aria-current={current === true ? "page" : undefined}
      onClick={(event) => {
        if (!isPlain(event)) return
        event.preventDefault()
        onGo?.()
        navigate(href)
      }}
    >
      {children}
    </a>
  )
}
