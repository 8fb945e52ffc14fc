/** The bar above every page: where one can go, what is left to spend, who is here. */
import type { Account } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { addressOf, isOfLibrary, type PageName, pages } from "./addresses.js"
import { credits, useIsFree } from "./data.js"
import { numberOf } from "./format.js"
import { onLetter } from "./letters.js"
import { isOfCredits } from "./live.js"
import { Link, navigate, place } from "./router.js"
import { isLibrary, isOperator, may, signOut } from "./session.js"
import { Icon, Mark } from "./widgets/Icon.js"
import { words } from "./words.js"

const PARENTS: Partial<Record<PageName, PageName>> = {
  transcript: "transcripts",
  batch: "shows",
  webhook: "webhooks",
  delivery: "webhooks",
  operatorAccounts: "operator",
  operatorAccount: "operator",
  operatorOrders: "operator",
  operatorJobs: "operator",
  operatorServer: "operator",
}

const isPage = (name: string): name is PageName => name in pages

/** Whether the session may do what a page is for. */
const mayOpen = (name: PageName): boolean => {
  const { scope } = pages[name]
  return scope === null || may(scope)
}

type Menu = "work" | "build" | "operate"

const namesIn = (menu: Menu, isFree: boolean): ReadonlyArray<PageName> =>
  Object.keys(pages).filter(
    (name): name is PageName =>
      isPage(name) &&
      pages[name].menu === menu &&
      (!isLibrary() || isOfLibrary(name)) &&
      mayOpen(name) &&
      !(isFree && name === "billing"),
  )

const MENU_NAMES: Partial<Record<PageName, string>> = { new: words.app.new }

const MenuLinks = ({ menu }: { readonly menu: Menu }) => {
  const name = place.value?.name
  const current = name === undefined ? undefined : (PARENTS[name] ?? name)
  const isFree = useIsFree()
  return (
    <ul>
      {namesIn(menu, isFree).map((to) => (
        <li key={to}>
          <Link to={to} current={to === current}>
            {MENU_NAMES[to] ?? pages[to].title}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const QuickSearch = () => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // A page with a field of its own to find in has that one.
    return onLetter("/", () => {
      const found = document.querySelector<HTMLInputElement>("[data-find]") ?? field.current
      found?.closest("details")?.setAttribute("open", "")
      found?.focus()
    })
  }, [])
  return (
    <form
      class="quick"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        const text = field.current?.value.trim() ?? ""
        if (/^tr_[a-z0-9]+$/.test(text)) navigate(addressOf("transcript", { id: text }))
        else navigate(addressOf("search", {}, { q: text }))
        // The page that comes says what was sought; here it would stay when that is left.
        event.currentTarget.reset()
      }}
    >
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        name="q"
        aria-label={words.app.search}
        placeholder={words.app.searchHint}
        autocomplete="off"
      />
      <kbd>/</kbd>
    </form>
  )
}

const Balance = () => {
  const { value } = credits.use([], { every: 30_000, when: isOfCredits })
  if (value === undefined || value.billing === false) return null
  return (
    <Link to="billing" class="balance">
      <strong>{numberOf(value.available)}</strong> {words.app.credits(value.available)}
    </Link>
  )
}

const AccountMenu = ({ account }: { readonly account: Account }) => (
  <details class="menu account">
    <summary>
      <span class="avatar" aria-hidden="true">
        {(account.name ?? account.id).replace("acct_", "").slice(0, 1).toUpperCase()}
      </span>
      <span class="name">
        <span class="hidden">{words.app.accountOf} </span>
        {account.name ?? account.id}
      </span>
      {account.is_test && <span class="badge">{words.app.test}</span>}
    </summary>
    <div class="panel">
      <Link to="account">{words.app.account}</Link>
      <a href="/docs">{words.app.docs}</a>
      <button type="button" onClick={() => void signOut()}>
        {words.app.signOut}
      </button>
    </div>
  </details>
)

export const Header = ({ account }: { readonly account: Account }) => {
  const isOpen = useSignal(false)
  const name = place.value?.name
  useEffect(() => {
    isOpen.value = false
    for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu")) menu.open = false
  }, [name])
  return (
    <header class="top">
      <div class="bar">
        <Link to="transcripts" class="brand" label={words.app.home}>
          <Mark /> <span>Earmark</span>
        </Link>
        <QuickSearch />
        {may("billing:read") && <Balance />}
        {isLibrary() ? <span class="here">{words.app.thisMachine}</span> : <AccountMenu account={account} />}
        <button
          type="button"
          class="burger"
          aria-expanded={isOpen.value}
          aria-controls="menu"
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          <Icon name="menu" />
          <span class="hidden">{words.app.menu}</span>
        </button>
      </div>
      <nav id="menu" aria-label={words.app.menu} data-open={isOpen.value}>
        <MenuLinks menu="work" />
        {!isLibrary() && <MenuLinks menu="build" />}
        {isOperator() && <MenuLinks menu="operate" />}
      </nav>
    </header>
  )
}
