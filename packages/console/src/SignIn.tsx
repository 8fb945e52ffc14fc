import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { sentenceOf } from "./cache.js"
import {
  goToProvider,
  isOperator,
  mustSignInAgain,
  provider,
  readProvider,
  refusalOf,
  signIn,
  signInReason,
  takesKeys,
} from "./session.js"
import { Button } from "./widgets/Button.js"
import { Dialog, useWork } from "./widgets/Dialog.js"
import { Field } from "./widgets/Field.js"
import { Mark } from "./widgets/Icon.js"
import { Failure } from "./widgets/States.js"
import { words } from "./words.js"

/** The way through another site, where the server has one. */
const Provider = () => {
  const work = useWork()
  useEffect(() => void work.run(readProvider), [])
  return (
    <>
      {provider.value !== null && (
        <Button kind="primary" isBusy={work.isBusy} onClick={() => void work.run(goToProvider)}>
          {words.signIn.provider(provider.value)}
        </Button>
      )}
      {work.error !== undefined && <Failure text={work.error} />}
    </>
  )
}

/** Pages that are drawn late get no focus of their own. */
const focusOnce = (field: HTMLInputElement | null): void => field?.focus()

/** A key or a sign-in link, looked at once and kept nowhere. */
const KeyForm = () => {
  const error = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const submit = async (form: HTMLFormElement) => {
    const key = new FormData(form).get("key")
    if (typeof key !== "string" || isBusy.peek()) return
    isBusy.value = true
    error.value = undefined
    signInReason.value = null
    try {
      if (!(await signIn(key.trim()))) error.value = refusalOf(key)
    } catch (failure) {
      error.value = sentenceOf(failure)
    }
    isBusy.value = false
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      <Field label={words.signIn.key} error={error.value}>
        {(facts) => (
          <input
            {...facts}
            name="key"
            ref={focusOnce}
            type="password"
            required
            autocomplete="off"
            spellcheck={false}
            placeholder="em_live_…"
            aria-invalid={error.value !== undefined}
          />
        )}
      </Field>
      <Button type="submit" {...(provider.value === null && { kind: "primary" })} isBusy={isBusy.value}>
        {words.signIn.submit}
      </Button>
    </form>
  )
}

/** The door. */
export const SignIn = () => {
  useEffect(() => {
    document.title = `${words.signIn.title} · Earmark`
  }, [])
  const reason = signInReason.value
  // Of the command on this machine a session ends when it does: the way back says so.
  const isSaid = reason !== null && (takesKeys.value || reason !== words.signIn.ended)
  return (
    <main class="door">
      <div class="card">
        <Mark />
        <h1>{words.signIn.title}</h1>
        {isSaid && <p role="alert">{reason}</p>}
        <Provider />
        {takesKeys.value ? (
          <>
            <p class="soft">{words.signIn.text}</p>
            <KeyForm />
            <p class="help">{words.signIn.help}</p>
          </>
        ) : (
          <p>{words.library.again}</p>
        )}
      </div>
    </main>
  )
}

/** Asks again over the page, which stays as it is. */
export const SignInAgain = () =>
  mustSignInAgain.value ? (
    <Dialog
      title={words.signIn.again}
      onClose={() => {
        mustSignInAgain.value = false
      }}
    >
      <div class="stack">
        <p>{words.signIn.againText}</p>
        <p class="soft">
          {isOperator() ? words.signIn.againOperator(provider.value) : words.signIn.ways(provider.value)}
        </p>
        <Provider />
        <KeyForm />
      </div>
    </Dialog>
  ) : null
