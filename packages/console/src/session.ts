/** Who is signed in, and the client that speaks for them. */
import { EarmarkClient, ProblemError } from "@earmark/api/client"
import { signal } from "@preact/signals"

export interface Account {
  readonly id: string
  readonly name: string | null
  readonly scopes: ReadonlyArray<string>
  readonly is_test: boolean
}

/** `undefined` until it is known, `null` when nobody is signed in. */
export const account = signal<Account | null | undefined>(undefined)

/** The public API, with the session of this browser. */
export const earmark = new EarmarkClient({ baseUrl: location.origin, session: true })

const SESSION = "/api/v1/session"

const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(path, {
    ...init,
    headers: {
      "Earmark-Console": "1",
      ...(init.body !== undefined && { "Content-Type": "application/json" }),
    },
  })
  if (response.ok || response.status === 401) return response
  throw new ProblemError(await response.json())
}

const isAccount = (value: unknown): value is Account =>
  typeof value === "object" && value !== null && "id" in value && "scopes" in value

/** Asks who is signed in. */
export const readAccount = async (): Promise<void> => {
  const response = await send("/api/v1/account")
  const found: unknown = response.ok ? await response.json() : null
  account.value = isAccount(found) ? found : null
}

/** Opens a session with a key. False when the key is not good. */
export const signIn = async (key: string): Promise<boolean> => {
  const response = await send(SESSION, { method: "POST", body: JSON.stringify({ key }) })
  if (!response.ok) return false
  await readAccount()
  return account.value !== null
}

/** Ends the session. Nothing of it stays in this browser. */
export const signOut = async (): Promise<void> => {
  await send(SESSION, { method: "DELETE" })
  localStorage.clear()
  location.assign("/console")
}

/** A call that finds the session ended brings the sign-in back. */
export const noteFailure = (error: unknown): void => {
  if (error instanceof ProblemError && error.status === 401) account.value = null
}
