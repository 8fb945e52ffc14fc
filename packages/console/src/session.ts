/** Who is signed in, and the client that speaks for them. */
import { type Account, EarmarkClient, ProblemError } from "@earmark/api/client"
import { signal } from "@preact/signals"
import { hasDrafts } from "./editing/unsaved.js"
import { words } from "./words.js"

/** `undefined` until it is known, `null` when nobody is signed in. */
export const account = signal<Account | null | undefined>(undefined)

/** Whether the signed-in person operates the server. */
export const isOperator = (): boolean => account.value?.role === "operator"

/** Whether these are the transcripts of this machine, with nothing of a service around them. */
export const isLibrary = (): boolean => account.value?.role === "library"

/** Whether a text can be had in another language. */
export const canTranslate = (): boolean => account.value?.features.translation === true

/** Whether credits can be bought without a person. */
export const canReload = (): boolean => account.value?.features.auto_reload === true

/** What a session may do: what the key may that opened it. */
export type Scope = Account["scopes"][number]

/** Whether the session may do something. What it may not is not offered. */
export const may = (scope: Scope): boolean => account.value?.scopes.includes(scope) === true

/** Whether it may correct transcripts, publish them, and have extras made. */
export const mayWrite = (): boolean => may("transcriptions:write")

/** What one may no more after signing in again: such as with a key that may less. */
export const lost = signal<ReadonlyArray<Scope | "operator">>([])

/** Told to every tab of this browser: the account that is signed in. Signing out clears it with all the rest. */
const HERE = "earmark-account"

/** Kept over a reload: the account before was another one. */
const MOVED = "earmark-moved"

/** Set where somebody has come from another account. */
export const hasMoved = signal(false)

/** What the page shows belongs to the account from before. */
const move = (): void => {
  sessionStorage.setItem(MOVED, "yes")
  location.reload()
}

/** Whether somebody was signed in here, as far as this browser knows. */
export const wasSignedIn = (): boolean => localStorage.getItem(HERE) !== null

/** Why one has to sign in: the link did not, or the session has ended; null where there is nothing to say. */
export const signInReason = signal<string | null>(null)

/** The last who was signed in, also after the session has ended. */
let last: Account | null = null

const signedIn = (now: Account | null): void => {
  if (now === null && account.peek() != null) signInReason.value ??= words.signIn.ended
  account.value = now
  const known = localStorage.getItem(HERE)
  if (now === null) localStorage.removeItem(HERE)
  else if (known !== now.id) {
    if (known !== null) hasMoved.value = true
    localStorage.setItem(HERE, now.id)
  }
  last = now ?? last
}

/** Hears of other tabs: where one signs in or out, or to another account, all do. */
export const followTabs = (): void =>
  addEventListener("storage", ({ key, newValue }) => {
    if (key === null || (key === HERE && newValue === null)) account.value = null
    else if (key !== HERE) return
    else if (last !== null && newValue !== last.id) move()
    else if (account.peek() === null) void readAccount().catch(() => undefined)
  })

/** The public API, with the session of this browser. */
export const earmark = new EarmarkClient({ baseUrl: location.origin, session: true })

const SESSION = "/api/v1/session"
const SIGN_IN = "/api/v1/sign-in"
const SESSIONS = "/api/v1/sessions"

/** Set when something costs money or gives access, and the sign-in is too old for that. */
export const mustSignInAgain = signal(false)

/** Asks this server with the session of this browser. */
export const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
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

/** Asks who is signed in. */
export const readAccount = async (): Promise<void> => {
  try {
    signedIn(await earmark.account.get())
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 401) throw error
    signedIn(null)
  }
}

/** Nothing longer is a key or a link. */
const LONGEST_SECRET = 200

const lostSince = (before: Account): ReadonlyArray<Scope | "operator"> => [
  ...(before.role === "operator" && !isOperator() ? (["operator"] as const) : []),
  ...before.scopes.filter((scope) => !may(scope)),
]

/** Opens a session with a key or a link. False when it is not good. */
const signInWith = async (given: { readonly key: string } | { readonly link: string }): Promise<boolean> => {
  const isKnown = Object.values(given).every(({ length }) => length <= LONGEST_SECRET)
  const response = isKnown ? await send(SESSION, { method: "POST", body: JSON.stringify(given) }) : null
  if (response?.ok !== true) return false
  const before = last
  await readAccount()
  if (before !== null && account.value?.id !== before.id) move()
  lost.value = before === null ? [] : lostSince(before)
  mustSignInAgain.value = false
  signInReason.value = null
  return account.value !== null
}

/** Signs in with a key, or with a sign-in link that was pasted in its place. */
export const signIn = (given: string): Promise<boolean> => {
  const [, link] = given.split(LINK)
  return signInWith(link === undefined ? { key: given } : { link })
}

/** What to say of a key or a link that did not sign in. */
export const refusalOf = (given: string): string =>
  given.includes(LINK) ? words.signIn.linkRefused : words.signIn.refused

/** The site of the provider where people can sign in; null where there is none, or none is known yet. */
export const provider = signal<string | null>(null)

/** Whether one can sign in with a key. The command `earmark console` has links alone. */
export const takesKeys = signal(true)

export const readProvider = async (): Promise<void> => {
  const { provider: found, keys } = await (await send(SIGN_IN)).json()
  takesKeys.value = keys
  provider.value = found === null ? null : (found.name ?? words.signIn.yourProvider)
}

const LONGEST_PLACE = 500

/** Leaves for the provider, which sends the browser back to this page. */
export const goToProvider = async (): Promise<void> => {
  const place = `${location.pathname}${location.search}`
  const body = JSON.stringify({ return_to: place.length > LONGEST_PLACE ? "/console" : place })
  const response = await send(SIGN_IN, { method: "POST", body })
  if (!response.ok) throw new ProblemError(await response.json())
  location.assign((await response.json()).url)
}

const LINK = "#sign-in="

/** Asks who is signed in, after the link in the address was used. It leaves the address, and so the history, at once. */
export const begin = async (): Promise<void> => {
  const { hash, pathname, search } = location
  hasMoved.value = sessionStorage.getItem(MOVED) !== null
  sessionStorage.removeItem(MOVED)
  if (hash.startsWith(LINK)) {
    history.replaceState(null, "", pathname + search)
    try {
      if (await signInWith({ link: hash.slice(LINK.length) })) return
      signInReason.value = words.signIn.linkRefused
    } catch (error) {
      signInReason.value = error instanceof Error ? error.message : String(error)
    }
  }
  await readAccount()
}

/** Set while somebody is asked whether to sign out, which discards what is not saved. */
export const isLeaving = signal(false)

export const signOut = async (): Promise<void> => {
  if (hasDrafts()) isLeaving.value = true
  else await leave()
}

/** Ends the session. Nothing of it stays in this browser. */
export const leave = async (): Promise<void> => {
  await send(SESSION, { method: "DELETE" })
  localStorage.clear()
  location.assign("/console")
}

interface Session {
  readonly id: string
  /** The key that it ends with. */
  readonly key_id: string
  readonly is_current: boolean
  readonly created_at: string
  readonly expires_at: string
  readonly scopes: ReadonlyArray<string>
  /** The key that it ends with: the one that was typed in, or one of its own, called by how its person signed in. */
  readonly key_name?: string | null
  /** What the browser called itself. */
  readonly user_agent: string | null
}

const isSession = (value: unknown): value is Session =>
  typeof value === "object" && value !== null && "id" in value && "is_current" in value

/** Where the account is signed in. */
export const readSessions = async (): Promise<ReadonlyArray<Session>> => {
  const { data = [] }: { readonly data?: ReadonlyArray<unknown> } = await (await send(SESSIONS)).json()
  return data.filter(isSession)
}

/** Ends one session, or all of them with this one. */
export const endSession = async (id?: string): Promise<void> => {
  await send(id === undefined ? SESSIONS : `${SESSIONS}/${encodeURIComponent(id)}`, { method: "DELETE" })
  if (id === undefined) await leave()
}

/** A call that finds the session ended, or too old for what was asked, brings the sign-in back. */
export const noteFailure = (error: unknown): void => {
  if (!(error instanceof ProblemError)) return
  if (error.code === "sign_in_again") mustSignInAgain.value = true
  // What was asked with the session before is refused after one has signed in again: the new one is asked.
  else if (error.status === 401) void readAccount().catch(() => undefined)
}
