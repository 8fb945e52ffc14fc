/** Every page of the console, by name, with what a session has to be allowed for it. The router, the menus and the tests read this one table. */
export const pages = {
  transcripts: { path: "/console", title: "Transcripts", menu: "work", scope: "transcriptions:read" },
  new: { path: "/console/new", title: "New transcription", menu: "work", scope: "transcriptions:write" },
  shows: { path: "/console/shows", title: "Shows", menu: "work", scope: "transcriptions:read" },
  search: { path: "/console/search", title: "Search", menu: "work", scope: "transcriptions:read" },
  ask: { path: "/console/ask", title: "Ask", menu: "work", scope: "transcriptions:read" },
  transcript: { path: "/console/t/:id", title: "Transcript", menu: null, scope: "transcriptions:read" },
  batch: { path: "/console/shows/:id", title: "Batch", menu: null, scope: "transcriptions:read" },
  webhooks: { path: "/console/webhooks", title: "Webhooks", menu: "build", scope: "webhooks" },
  webhook: { path: "/console/webhooks/:id", title: "Webhook endpoint", menu: null, scope: "webhooks" },
  delivery: { path: "/console/webhooks/:id/:delivery", title: "Delivery", menu: null, scope: "webhooks" },
  usage: { path: "/console/usage", title: "Usage", menu: "build", scope: "billing:read" },
  billing: { path: "/console/billing", title: "Credits", menu: "build", scope: "billing:read" },
  keys: { path: "/console/keys", title: "Keys", menu: "build", scope: "keys" },
  agents: { path: "/console/agents", title: "Agents", menu: "build", scope: "keys" },
  account: { path: "/console/account", title: "Account", menu: null, scope: null },
  operator: { path: "/console/operator", title: "Operator", menu: "operate", scope: null },
  operatorAccounts: { path: "/console/operator/accounts", title: "Accounts", menu: null, scope: null },
  operatorAccount: {
    path: "/console/operator/accounts/:id",
    title: "Account of a customer",
    menu: null,
    scope: null,
  },
  operatorOrders: { path: "/console/operator/orders", title: "Orders", menu: null, scope: null },
  operatorJobs: { path: "/console/operator/jobs", title: "Set-aside jobs", menu: null, scope: null },
  operatorServer: { path: "/console/operator/server", title: "Server", menu: null, scope: null },
} as const

export type PageName = keyof typeof pages

/** Whether a page is for operators only; for everybody else it does not exist. */
export const isForOperators = (name: PageName): boolean => pages[name].path.startsWith(pages.operator.path)

const OF_LIBRARY: ReadonlyArray<PageName> = ["transcripts", "transcript", "search", "ask"]

/** Whether a page is about transcripts alone, so that it is there for the library of a machine as well. */
export const isOfLibrary = (name: PageName): boolean => OF_LIBRARY.includes(name)

/** The values of a path, such as `{ id: "tr_…" }`. */
export type Params = Readonly<Record<string, string>>

interface Place {
  readonly name: PageName
  readonly params: Params
}

const partsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((part) => part !== "")

const names = Object.keys(pages).filter((name): name is PageName => name in pages)

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const match = (pattern: string, path: string): Params | null => {
  const [wanted, given] = [partsOf(pattern), partsOf(path)]
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ""
    if (part.startsWith(":")) params[part.slice(1)] = decoded(value)
    else if (part !== value) return null
  }
  return params
}

/** What the page is called, which is tried as its address. */
const CREDITS = "/console/credits"

/** Which page a path is; null where there is none. */
export const placeOf = (path: string): Place | null => {
  // No text may hold a NUL character.
  if (path.includes("%00")) return null
  if (path === CREDITS) return { name: "billing", params: {} }
  for (const name of names) {
    const params = match(pages[name].path, path)
    if (params !== null) return { name, params }
  }
  return null
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

export const queryText = (query: Query): string => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== "" && value !== false)
      given.set(name, String(value))
  return given.size === 0 ? "" : `?${given}`
}

/** The address of a page. */
export const addressOf = (name: PageName, params: Params = {}, query: Query = {}): string =>
  pages[name].path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? "")) +
  queryText(query)
