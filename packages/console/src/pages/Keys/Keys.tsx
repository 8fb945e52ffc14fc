/** Keys: who may call, and with which permissions. */
import type { ApiKey } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { keys } from "../../data.js"
import { agoOf, dateOf, momentOf, numberOf } from "../../format.js"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Confirm } from "../../widgets/Dialog.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { words } from "../../words.js"
import { CreateKey, SCOPES } from "./CreateKey.js"
import { EditKey } from "./EditKey.js"

const text = words.keys
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

interface RowProps {
  readonly of: ApiKey
  readonly onEdit: () => void
  readonly onRevoke: () => void
}

const Row = ({ of, onEdit, onRevoke }: RowProps) => (
  <tr class={of.revoked_at === null ? undefined : "ended"}>
    <td class="main">
      <strong dir="auto">{of.name ?? text.unnamed}</strong>
    </td>
    <td>
      <code>
        {of.prefix}…{of.last4}
      </code>
    </td>
    <td>{of.scopes.length === SCOPES.length ? text.allScopes : of.scopes.join(", ")}</td>
    <td
      data-label={text.columns.used}
      title={of.last_used_at === null ? undefined : momentOf(of.last_used_at)}
    >
      {of.last_used_at === null ? text.never : agoOf(of.last_used_at)}
    </td>
    <td data-label={text.columns.ends}>{endOf(of)}</td>
    <td class="number" data-label={text.columns.credits}>
      {of.monthly_credits === null
        ? numberOf(of.monthly_credits_used)
        : text.spent(numberOf(of.monthly_credits_used), numberOf(of.monthly_credits))}
    </td>
    <td class="number">
      {of.revoked_at === null && (
        <>
          <Button label={text.editLabel(of.name ?? text.unnamed)} onClick={onEdit}>
            {text.edit}
          </Button>{" "}
          <Button kind="danger" label={text.revokeLabel(of.name ?? text.unnamed)} onClick={onRevoke}>
            {text.revoke}
          </Button>
        </>
      )}
    </td>
  </tr>
)

interface KeyTableProps {
  readonly of: ReadonlyArray<ApiKey>
  readonly onEdit: (key: ApiKey) => void
  readonly onRevoke: (key: ApiKey) => void
}

const KeyTable = ({ of, onEdit, onRevoke }: KeyTableProps) => (
  <div class="table">
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">{text.columns.name}</th>
          <th scope="col">{text.columns.key}</th>
          <th scope="col">{text.columns.scopes}</th>
          <th scope="col">{text.columns.used}</th>
          <th scope="col">{text.columns.ends}</th>
          <th scope="col" class="number">
            {text.columns.credits}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {of.map((each) => (
          <Row key={each.id} of={each} onEdit={() => onEdit(each)} onRevoke={() => onRevoke(each)} />
        ))}
      </tbody>
    </table>
  </div>
)

export const Page = () => {
  const loaded = keys.use([])
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
            <KeyTable
              of={data}
              onEdit={(key) => {
                edited.value = key
              }}
              onRevoke={(key) => {
                revoked.value = key
              }}
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
          text={text.revokeText}
          action={text.revoke}
          onClose={() => {
            revoked.value = null
          }}
          onConfirm={async () => {
            await earmark.keys.revoke(revoked.peek()?.id ?? "")
            loaded.reload()
          }}
        />
      )}
    </>
  )
}
