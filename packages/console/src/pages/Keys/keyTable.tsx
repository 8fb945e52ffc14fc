/** How keys are listed, for their account and for the operator. */
import type { ApiKey } from "@earmark/api/client"
import { dateOf, numberOf } from "../../format.js"
import { Ago } from "../../widgets/Ago.js"
import { Button } from "../../widgets/Button.js"
import type { Column } from "../../widgets/DataTable.js"
import { building } from "../../words/building.js"
import { SCOPES } from "./CreateKey.js"

const text = building.keys

const endOf = ({ revoked_at, expires_at }: ApiKey) => {
  if (revoked_at !== null) return <span class="badge bad">{text.revoked}</span>
  if (expires_at === null) return text.never
  return new Date(expires_at).getTime() < Date.now() ? (
    <span class="badge">{text.expired}</span>
  ) : (
    dateOf(expires_at)
  )
}

export const nameOf = ({ name }: ApiKey): string => name ?? text.unnamed

/** The columns of a table of keys. */
export const columnsFor = (own?: string): ReadonlyArray<Column<ApiKey>> => [
  {
    head: text.columns.name,
    isMain: true,
    cell: (key) => (
      <>
        <strong dir="auto">{nameOf(key)}</strong>
        {key.id === own && <span class="badge good">{text.own}</span>}
      </>
    ),
  },
  {
    head: text.columns.key,
    cell: ({ prefix, last4 }) => (
      <code>
        {prefix}…{last4}
      </code>
    ),
  },
  {
    head: text.columns.scopes,
    cell: ({ scopes }) => (scopes.length === SCOPES.length ? text.allScopes : scopes.join(", ")),
  },
  {
    head: text.columns.used,
    cell: ({ last_used_at }) => (last_used_at === null ? text.never : <Ago of={last_used_at} />),
  },
  { head: text.columns.ends, cell: endOf },
  {
    head: text.columns.credits,
    isNumber: true,
    cell: ({ monthly_credits, monthly_credits_used }) =>
      monthly_credits === null
        ? numberOf(monthly_credits_used)
        : text.spent(numberOf(monthly_credits_used), numberOf(monthly_credits)),
  },
]

interface DoingsProps {
  readonly of: ApiKey
  readonly onEdit: () => void
  readonly onRevoke: () => void
}

/** What can be done with a key that is not revoked. */
export const KeyDoings = ({ of, onEdit, onRevoke }: DoingsProps) =>
  of.revoked_at === null ? (
    <>
      <Button label={text.editLabel(nameOf(of))} onClick={onEdit}>
        {text.edit}
      </Button>{" "}
      <Button kind="danger" label={text.revokeLabel(nameOf(of))} onClick={onRevoke}>
        {text.revoke}
      </Button>
    </>
  ) : null
