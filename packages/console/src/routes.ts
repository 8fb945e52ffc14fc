/** The code of each page, loaded when the page is opened. */
import { signal } from "@preact/signals"
import type { ComponentType } from "preact"
import type { PageName, Params } from "./addresses.js"

interface PageModule {
  readonly Page: ComponentType<{ readonly params: Params }>
}

const routes: Readonly<Record<PageName, () => Promise<PageModule>>> = {
  transcripts: () => import("./pages/Transcripts/Transcripts.js"),
  new: () => import("./pages/New/New.js"),
  shows: () => import("./pages/Shows/Shows.js"),
  search: () => import("./pages/Search/Search.js"),
  ask: () => import("./pages/Ask/Ask.js"),
  transcript: () => import("./pages/Transcript/Transcript.js"),
  batch: () => import("./pages/Shows/Batch.js"),
  webhooks: () => import("./pages/Webhooks/Webhooks.js"),
  webhook: () => import("./pages/Webhooks/Webhook.js"),
  delivery: () => import("./pages/Webhooks/Delivery.js"),
  usage: () => import("./pages/Usage/Usage.js"),
  billing: () => import("./pages/Billing/Billing.js"),
  keys: () => import("./pages/Keys/Keys.js"),
  agents: () => import("./pages/Agents/Agents.js"),
  account: () => import("./pages/Account/Account.js"),
  operator: () => import("./pages/Operator/Overview.js"),
  operatorAccounts: () => import("./pages/Operator/Accounts.js"),
  operatorAccount: () => import("./pages/Operator/Account.js"),
  operatorOrders: () => import("./pages/Operator/Orders.js"),
  operatorJobs: () => import("./pages/Operator/Jobs.js"),
  operatorServer: () => import("./pages/Operator/Server.js"),
}

const loaded = signal<ReadonlyMap<PageName, PageModule>>(new Map())

/** The code of a page, once it is there. */
export const pageModule = (name: PageName): PageModule | undefined => loaded.value.get(name)

export const loadPage = async (name: PageName): Promise<void> => {
  if (loaded.peek().has(name)) return
  const module = await routes[name]()
  loaded.value = new Map([...loaded.peek(), [name, module]])
}
