import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { sentenceOf } from "./cache.js"
import { linkFailure, mustSignInAgain, signIn } from "./session.js"
import { Button } from "./widgets/Button.js"
import { Dialog } from "./widgets/Dialog.js"
import { Field } from "./widgets/Field.js"
import { Mark } from "./widgets/Icon.js"
import { words } from "./words.js"

/** A key, looked at once and kept nowhere. */
const KeyForm = () => {
  const error = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const submit = async (form: HTMLFormElement) => {
    const key = new FormData(form).get("key")
    if (typeof key !== "string" || isBusy.peek()) return
    isBusy.value = true
    error.value = undefined
    try {
      if (!(await signIn(key.trim()))) error.value = words.signIn.refused
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
            type="password"
            required
            autocomplete="off"
            spellcheck={false}
            placeholder="em_live_…"
            aria-invalid={error.value !== undefined}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" isBusy={isBusy.value}>
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
  return (
    <main class="door">
      <div class="card">
        <Mark />
        <h1>{words.signIn.title}</h1>
        {linkFailure.value !== null && <p role="alert">{linkFailure.value}</p>}
        <p class="soft">{words.signIn.text}</p>
        <KeyForm />
        <p class="help">{words.signIn.help}</p>
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
      <p>{words.signIn.againText}</p>
      <KeyForm />
    </Dialog>
  ) : null
