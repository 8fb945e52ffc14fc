/** What the operator pages ask. Each is one operation of the administration, under its name. */
import {
  type ApiKey,
  type Credits,
  type Grant,
  type LedgerEntry,
  ProblemError,
  type Purchase,
} from "@earmark/api/client"
import { type Query, queryText } from "../../addresses.js"
import { resource } from "../../cache.js"
import { readAccount, send } from "../../session.js"

export interface OperatedAccount {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly is_paid: boolean
  readonly limits: {
    readonly max_media_minutes: number | null
    readonly max_upload_bytes: number | null
    readonly max_waiting_jobs: number | null
  }
  readonly created_at: string
}

export interface Order extends Purchase {
  readonly account: string
  readonly account_name: string
  readonly account_email: string | null
  readonly provider: string
}

export interface Entry extends LedgerEntry {
  readonly reference: string | null
}

export interface DeadJob {
  readonly id: string
  readonly account: string
  readonly attempts: number
  readonly reason: string
}

export interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface Figures {
  readonly jobs: Readonly<Record<string, number>>
  readonly queue: {
    readonly ready: number
    readonly scheduled: number
    readonly leased: number
    readonly dead: number
    readonly oldest_seconds: number
  }
  readonly webhooks: {
    readonly pending: number
    readonly delivering: number
    readonly overdue_seconds: number
  }
  readonly credits: { readonly accounts: number; readonly posted: number; readonly held: number }
}

export interface Verified {
  readonly ok: boolean
  readonly total: number
  readonly findings: ReadonlyArray<{
    readonly kind: string
    readonly subject: string
    readonly expected: number
    readonly actual: number
  }>
}

export interface Check {
  readonly name: string
  readonly status: "ok" | "missing" | "old" | "unused"
  readonly detail: string
  readonly fix: string | null
}

export interface SettingsSection {
  readonly title: string
  readonly settings: ReadonlyArray<{
    readonly name: string
    readonly value: string | null
    readonly is_set: boolean
    readonly default: string
    readonly sentence: string
  }>
}

export interface Storage {
  readonly database: "embedded" | "postgres"
  readonly uploads: "folder" | "bucket"
  readonly folder: string
  readonly free_bytes: number | null
  readonly total_bytes: number | null
  /** Null: for good. */
  readonly kept_seconds: Readonly<Record<string, number | null>>
}

/** Calls the operator's API. It answers 404 when the session is no longer an operator's, so the role is then read again. */
const ask = async (address: string, init?: RequestInit): Promise<Response> => {
  try {
    return await send(`/api/operator/${address}`, init)
  } catch (error) {
    if (error instanceof ProblemError && error.code === "not_found") await readAccount()
    throw error
  }
}

const read = async <Value>(name: string, fields: Query = {}): Promise<Value> =>
  (await ask(name + queryText(fields))).json()

/** Does an operation that changes something. */
export const act = async <Value>(name: string, fields: object): Promise<Value> =>
  (await ask(name, { method: "POST", body: JSON.stringify(fields) })).json()

export const figures = resource(() => read<Figures>("server.figures"))
export const checks = resource(() => read<{ readonly data: ReadonlyArray<Check> }>("server.checks"))
export const settings = resource(() =>
  read<{ readonly data: ReadonlyArray<SettingsSection> }>("server.settings"),
)
export const storage = resource(() => read<Storage>("server.storage"))
export const accounts = resource((cursor: string | null) =>
  read<Page<OperatedAccount>>("accounts.list", { limit: 50, cursor }),
)
export const account = resource((id: string) =>
  read<OperatedAccount & { readonly credits: Credits }>("accounts.show", { account: id }),
)
export const keys = resource((id: string) => read<Page<ApiKey>>("keys.list", { account: id, limit: 100 }))
export const grants = resource((id: string) =>
  read<Page<Grant>>("accounts.grants", { account: id, limit: 100 }),
)
export const entries = resource((id: string) =>
  read<Page<Entry>>("credits.entries", { account: id, limit: 20 }),
)
export const orders = resource((open: boolean, cursor: string | null) =>
  read<Page<Order>>("credits.purchases", { open, limit: 50, cursor }),
)
export const deadJobs = resource(() => read<Omit<Page<DeadJob>, "next_cursor">>("jobs.dead", { limit: 100 }))
export const verify = () => read<Verified>("credits.verify")
