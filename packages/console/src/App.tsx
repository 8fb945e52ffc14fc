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
import { account, hasMoved, isLeaving, isLibrary, isOperator, leave, lost, may } from "./session.js"
import { Button } from "./widgets/Button.js"
import { Confirm } from "./widgets/Dialog.js"
import { MayNot } from "./widgets/MayNot.js"
import { NewVersion } from "./widgets/NewVersion.js"
import { Empty, Failure, Loading, Notice } from "./widgets/States.js"
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
  const { scope } = pages[found.name]
  if (scope !== null && !may(scope)) return <MayNot isPage scope={scope} />
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

/** Said once after a sign-in to another account, or one that gave less than the one before. */
const Lost = ({ name }: { readonly name: string }) =>
  hasMoved.value || lost.value.length > 0 ? (
    <Notice kind="warn">
      {hasMoved.value && <p>{words.app.moved(name)}</p>}
      {lost.value.length > 0 && <p>{words.app.lost(name, lost.value)}</p>}
      <Button
        onClick={() => {
          lost.value = []
          hasMoved.value = false
        }}
      >
        {words.app.close}
      </Button>
    </Notice>
  ) : null

const Leaving = () => (
  <Confirm
    title={words.app.unsaved}
    text={words.app.unsavedText}
    action={words.app.signOut}
    onConfirm={leave}
    onClose={() => {
      isLeaving.value = false
    }}
  />
)

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
      {isLeaving.value && <Leaving />}
      <main id="main" tabIndex={-1}>
        <Lost name={account.value.name ?? account.value.id} />
        <Main />
      </main>
      <Shortcuts />
      <SignInAgain />
    </>
  )
}
