/** The frame around every page. */
import { useComputed, useSignal, useSignalEffect } from "@preact/signals"
import { useErrorBoundary } from "preact/hooks"
import { isForOperators, isOfLibrary, type PageName, pages } from "./addresses.js"
import { Header } from "./Header.js"
import { followAccount } from "./live.js"
import { place } from "./router.js"
import { loadPage, pageModule } from "./routes.js"
import { Shortcuts } from "./Shortcuts.js"
import { SignIn, SignInAgain } from "./SignIn.js"
import { account, isLibrary, isOperator } from "./session.js"
import { NewVersion } from "./widgets/NewVersion.js"
import { Empty, Failure, Loading } from "./widgets/States.js"
import { words } from "./words.js"

/** Whether there is such a page for whoever is here. */
const isThere = (name: PageName): boolean =>
  isLibrary() ? isOfLibrary(name) : !isForOperators(name) || isOperator()

const PageOutlet = () => {
  /** The page whose code did not come. */
  const missing = useSignal<PageName | null>(null)
  const name = useComputed(() => place.value?.name ?? null)
  useSignalEffect(() => {
    const wanted = name.value
    if (wanted === null) return
    document.title = `${pages[wanted].title} · Earmark`
    loadPage(wanted).catch(() => {
      missing.value = wanted
    })
  })
  const found = place.value
  if (found === null || !isThere(found.name))
    return <Empty isPage title={words.app.noPage} text={words.app.noPageText} />
  const module = pageModule(found.name)
  if (module === undefined) return missing.value === found.name ? <NewVersion isPage /> : <Loading />
  const { Page } = module
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
