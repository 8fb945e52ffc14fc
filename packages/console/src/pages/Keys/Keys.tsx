/** Keys: who may call, and with which permissions. */
import type { ApiKey } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { keys, sessions } from "../../data.js"
import { dateOf, numberOf } from "../../format.js"
import { earmark, signInReason } from "../../session.js"
import { Ago } from "../../widgets/Ago.js"
import { Button } from "../../widgets/Button.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { Confirm } from "../../widgets/Dialog.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { words } from "../../words.js"
import { CreateKey, SCOPES } from "./CreateKey.js"
import { EditKey } from "./EditKey.js"

const text = building.keys
const CALLS = [
  { name: "keys.list" },
  { name: "keys.create", body: { name: "Backup script", scopes: ["transcriptions:read"] } },
]

const endOf = ({ revoked_at, expires_at }: ApiKey) => {
  if (revoked_at !== null) return <span class="badge bad">{text.revoked}</span>
  if (expires_at === null) return text.never
  return new Date(expires_at).getTime() < Date.now() ? (
    <span class="badge">{text.expired}</span>
  ) : (
    dateOf(expires_at)
  )
}

const nameOf = ({ name }: ApiKey): string => name ?? text.unnamed

const columnsFor = (own: string | undefined): ReadonlyArray<Column<ApiKey>> => [
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

const Doings = ({ of, onEdit, onRevoke }: DoingsProps) =>
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

/** Milliseconds. Keys are made in other windows and by programs, too. */
const FOLLOWING = 3000

export const Page = () => {
  const loaded = keys.use([], { every: FOLLOWING })
  // The session of this browser ends with the key that opened it.
  const own = sessions.use([]).value?.find(({ is_current }) => is_current)?.key_id
  const isCreating = useSignal(false)
  const edited = useSignal<ApiKey | null>(null)
  const revoked = useSignal<ApiKey | null>(null)
  return (
    <>
      <PageHead title={text.title} text={text.text} calls={CALLS}>
        <Button
          kind="primary"
          icon="plus"
          onClick={() => {
            isCreating.value = true
          }}
        >
          {text.create}
        </Button>
      </PageHead>
      <LoadedView of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={text.empty} text={text.emptyText} />
          ) : (
            <DataTable
              columns={columnsFor(own)}
              of={data}
              keyOf={({ id }) => id}
              hasEnded={({ revoked_at }) => revoked_at !== null}
              action={(key) => (
                <Doings
                  of={key}
                  onEdit={() => {
                    edited.value = key
                  }}
                  onRevoke={() => {
                    revoked.value = key
                  }}
                />
              )}
            />
          )
        }
      </LoadedView>
      {isCreating.value && (
        <CreateKey
          onChange={loaded.reload}
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
      {edited.value !== null && (
        <EditKey
          of={edited.value}
          onChange={loaded.reload}
          onClose={() => {
            edited.value = null
          }}
        />
      )}
      {revoked.value !== null && (
        <Confirm
          title={text.revokeTitle(revoked.value.name ?? text.unnamed)}
          text={revoked.value.id === own ? text.revokeOwnText : text.revokeText}
          action={text.revoke}
          onClose={() => {
            revoked.value = null
          }}
          onConfirm={async () => {
            const id = revoked.peek()?.id ?? ""
            await earmark.keys.revoke(id)
            if (id === own) signInReason.value = words.signIn.revoked
            loaded.reload()
          }}
        />
      )}
    </>
  )
}
