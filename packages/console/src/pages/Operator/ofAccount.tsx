/** What an account has: apps that it let in, and the lines of its ledger. */
import type { Grant } from "@earmark/api/client"
import type { ComponentChildren } from "preact"
import type { Loaded } from "../../cache.js"
import { numberOf } from "../../format.js"
import { Ago } from "../../widgets/Ago.js"
import { Button } from "../../widgets/Button.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { LoadedView } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { operating } from "../../words/operating.js"
import { type Entry, entries, grants, type Page } from "./data.js"
import { type Doing, revoking } from "./doings.js"

const text = operating.account

interface ListProps<Item> {
  readonly title: string
  readonly none: string
  readonly of: Loaded<Page<Item>>
  readonly columns: ReadonlyArray<Column<Item>>
  readonly keyOf: (item: Item) => string
  readonly hasEnded?: (item: Item) => boolean
  readonly action?: (item: Item) => ComponentChildren
  /** Between the heading and the list. */
  readonly children?: ComponentChildren
}

export const List = <Item,>({ title, none, of, children, ...table }: ListProps<Item>) => (
  <section class="card">
    <h2>{title}</h2>
    {children}
    <LoadedView of={of}>
      {({ data }) => (data.length === 0 ? <p class="soft">{none}</p> : <DataTable of={data} {...table} />)}
    </LoadedView>
  </section>
)

const ago = (time: string): ComponentChildren => <Ago of={time} />

const appName = ({ name, client }: Grant): string => name ?? client

const APPS: ReadonlyArray<Column<Grant>> = [
  { head: text.grantColumns.name, isMain: true, cell: (app) => <strong dir="auto">{appName(app)}</strong> },
  { head: text.grantColumns.scopes, cell: ({ scopes }) => scopes.join(", ") },
  { head: text.grantColumns.granted, cell: ({ granted_at }) => ago(granted_at) },
]

interface AppsProps {
  readonly account: string
  readonly onRevoke: (doing: Doing) => void
}

export const Apps = ({ account, onRevoke }: AppsProps) => (
  <List
    title={text.grants}
    none={text.noGrants}
    of={grants.use([account])}
    columns={APPS}
    keyOf={({ id }) => id}
    action={(app) => (
      <Button
        kind="danger"
        label={text.revokeLabel(appName(app))}
        onClick={() => onRevoke(revoking(account, app.id, appName(app)))}
      >
        {text.revoke}
      </Button>
    )}
  />
)

const ENTRIES: ReadonlyArray<Column<Entry>> = [
  { head: text.entryColumns.kind, isMain: true, cell: ({ kind }) => building.billing.kinds[kind] },
  { head: text.entryColumns.time, cell: ({ created_at }) => ago(created_at) },
  {
    head: text.entryColumns.reference,
    cell: ({ reference, transcription_id }) => <code>{reference ?? transcription_id ?? ""}</code>,
  },
  {
    head: text.entryColumns.amount,
    isNumber: true,
    cell: ({ amount }) => (amount > 0 ? `+${numberOf(amount)}` : numberOf(amount)),
  },
]

export const Ledger = ({ account }: { readonly account: string }) => (
  <List
    title={text.entries}
    none={text.noEntries}
    of={entries.use([account])}
    columns={ENTRIES}
    keyOf={({ id }) => id}
  />
)
