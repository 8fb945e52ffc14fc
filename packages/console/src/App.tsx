/** The frame around every page. */
import { useComputed, useSignal, useSignalEffect } from "@preact/signals"
import { useErrorBoundary } from "preact/hooks"
import { isForOperators, isOfLibrary, type PageName, pages } from "./addresses.js"
import { Header } from "./Header.js"
import { followAccount } from "./live.js"
import { place } from "./router.js"
import { type PageModule, routes } from "./routes.js"
import { Shortcuts } from "./Shortcuts.js"
import { SignIn, SignInAgain } from "./SignIn.js"
import { account, isLibrary, isOperator } from "./session.js"
import { NewVersion } from "./widgets/NewVersion.js"
import { Empty, Failure, Loading } from "./widgets/States.js"
import { words } from "./words.js"

/** Whether there is such a page for whoever is here. */
const isThere = (name: PageName): boolean =>
  isLibrary() ? isOfLibrary(name) : !isForOperators(name) || isOperator()

type Shown = { readonly name: string; readonly module: PageModule } | { readonly failed: true } | null

const PageOutlet = () => {
  const shown = useSignal<Shown>(null)
  const name = useComputed(() => place.value?.name ?? null)
  useSignalEffect(() => {
    const wanted = name.value
    if (wanted === null) return
    document.title = `${pages[wanted].title} · Earmark`
    routes[wanted]().then(
      (module) => {
        if (name.peek() === wanted) shown.value = { name: wanted, module }
      },
      () => {
        shown.value = { failed: true }
      },
    )
  })
  const found = place.value
  if (found === null || !isThere(found.name))
    return <Empty isPage title={words.app.noPage} text={words.app.noPageText} />
  if (shown.value === null) return <Loading />
  if ("failed" in shown.value) return <NewVersion isPage />
  if (shown.value.name !== found.name) return <Loading />
  const { Page } = shown.value.module
  return <Page key={`${found.name} ${Object.values(found.params).join(" ")}`} params={found.params} />
}

const Main = () => {
  const [error, reset] = useErrorBoundary()
  if (error !== undefined) return <Failure text={words.failed.page} onRetry={reset} />
  return <PageOutlet />
}

export const App = () => {
  useSignalEffect(() => {
    if (account.value !== undefined && account.value !== null) return followAccount()
  })
  if (account.value === undefined) return <Loading />
  if (account.value === null) return <SignIn />
  return (
    <>
      <a class="skip" href="#main">
        {words.app.skip}
      </a>
      <Header account={account.value} />
      <main id="main" tabIndex={-1}>
        <Main />
      </main>
      <Shortcuts />
      <SignInAgain />
    </>
  )
}
