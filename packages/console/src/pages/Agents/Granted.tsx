/** The assistants that were let in, and how one is put out. */
import type { Grant } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { grants } from "../../data.js"
import { agoOf, dateOf, momentOf } from "../../format.js"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Confirm } from "../../widgets/Dialog.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { words } from "../../words.js"

const text = words.agents

const nameOf = ({ name, client }: Grant): string => name ?? client

const Row = ({ of, onRevoke }: { readonly of: Grant; readonly onRevoke: () => void }) => (
  <tr>
    <td class="main">
      <strong dir="auto">{nameOf(of)}</strong>
    </td>
    <td>{of.scopes.join(", ")}</td>
    <td data-label={text.columns.granted} title={momentOf(of.granted_at)}>
      {agoOf(of.granted_at)}
    </td>
    <td data-label={text.columns.ends}>{of.expires_at === null ? text.never : dateOf(of.expires_at)}</td>
    <td class="number">
      <Button kind="danger" label={text.revokeLabel(nameOf(of))} onClick={onRevoke}>
        {text.revoke}
      </Button>
    </td>
  </tr>
)

interface GrantTableProps {
  readonly of: ReadonlyArray<Grant>
  readonly onRevoke: (grant: Grant) => void
}

const GrantTable = ({ of, onRevoke }: GrantTableProps) => (
  <div class="table">
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">{text.columns.app}</th>
          <th scope="col">{text.columns.scopes}</th>
          <th scope="col">{text.columns.granted}</th>
          <th scope="col">{text.columns.ends}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {of.map((each) => (
          <Row key={each.id} of={each} onRevoke={() => onRevoke(each)} />
        ))}
      </tbody>
    </table>
  </div>
)

export const Granted = () => {
  const loaded = grants.use([])
  const revoked = useSignal<Grant | null>(null)
  return (
    <>
      <LoadedView of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={text.empty} text={text.emptyText} />
          ) : (
            <GrantTable
              of={data}
              onRevoke={(grant) => {
                revoked.value = grant
              }}
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
