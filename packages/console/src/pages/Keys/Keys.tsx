/** Keys: who may call, and with which permissions. */
import type { ApiKey } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { keys, sessions } from "../../data.js"
import { earmark, signInReason } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { DataTable } from "../../widgets/DataTable.js"
import { Confirm } from "../../widgets/Dialog.js"
import { PageHead } from "../../widgets/Page.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { words } from "../../words.js"
import { CreateKey } from "./CreateKey.js"
import { EditKey } from "./EditKey.js"
import { columnsFor, KeyDoings, nameOf } from "./keyTable.js"

const text = building.keys
const CALLS = [
  { name: "keys.list" },
  { name: "keys.create", body: { name: "Backup script", scopes: ["transcriptions:read"] } },
]

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
                <KeyDoings
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
          create={(wanted) => earmark.keys.create(wanted)}
          onChange={loaded.reload}
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
      {edited.value !== null && (
        <EditKey
          of={edited.value}
          update={(id, change) => earmark.keys.update(id, change)}
          onChange={loaded.reload}
          onClose={() => {
            edited.value = null
          }}
        />
      )}
      {revoked.value !== null && (
        <Confirm
          title={text.revokeTitle(nameOf(revoked.value))}
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
