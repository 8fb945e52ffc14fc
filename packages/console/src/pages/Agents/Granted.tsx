/** The assistants that were let in, and how one is put out. */
import type { Grant } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { grants } from "../../data.js"
import { dateOf } from "../../format.js"
import { earmark } from "../../session.js"
import { Ago } from "../../widgets/Ago.js"
import { Button } from "../../widgets/Button.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { Confirm } from "../../widgets/Dialog.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { building } from "../../words/building.js"

const text = building.agents

/** Milliseconds. Events of the account do not tell of assistants. */
const FOLLOWING = 3000

const nameOf = ({ name, client }: Grant): string => name ?? client

const COLUMNS: ReadonlyArray<Column<Grant>> = [
  { head: text.columns.app, isMain: true, cell: (grant) => <strong dir="auto">{nameOf(grant)}</strong> },
  { head: text.columns.scopes, cell: ({ scopes }) => scopes.join(", ") },
  { head: text.columns.granted, cell: ({ granted_at }) => <Ago of={granted_at} /> },
  {
    head: text.columns.ends,
    cell: ({ expires_at }) => (expires_at === null ? text.never : dateOf(expires_at)),
  },
]

export const Granted = () => {
  const loaded = grants.use([], { every: FOLLOWING })
  const revoked = useSignal<Grant | null>(null)
  return (
    <>
      <LoadedView of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={text.empty} text={text.emptyText} />
          ) : (
            <DataTable
              columns={COLUMNS}
              of={data}
              keyOf={({ id }) => id}
              action={(grant) => (
                <Button
                  kind="danger"
                  label={text.revokeLabel(nameOf(grant))}
                  onClick={() => {
                    revoked.value = grant
                  }}
                >
                  {text.revoke}
                </Button>
              )}
            />
          )
        }
      </LoadedView>
      {revoked.value !== null && (
        <Confirm
          title={text.revokeTitle(nameOf(revoked.value))}
          text={text.revokeText}
          action={text.revoke}
          onClose={() => {
            revoked.value = null
          }}
          onConfirm={async () => {
            await earmark.grants.revoke(revoked.peek()?.id ?? "")
            loaded.reload()
          }}
        />
      )}
    </>
  )
}
