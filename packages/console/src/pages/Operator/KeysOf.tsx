/** The keys of an account, with the dialogs of its own page of keys. */
import type { ApiKey } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { Button } from "../../widgets/Button.js"
import { Confirm } from "../../widgets/Dialog.js"
import { building } from "../../words/building.js"
import { operating } from "../../words/operating.js"
import { CreateKey, type WantedKey } from "../Keys/CreateKey.js"
import { EditKey } from "../Keys/EditKey.js"
import { columnsFor, KeyDoings, nameOf } from "../Keys/keyTable.js"
import { act, keys } from "./data.js"
import { List } from "./ofAccount.js"

const text = building.keys
const COLUMNS = columnsFor()

type Chosen = { readonly to: "create" } | { readonly to: "edit" | "revoke"; readonly key: ApiKey }

export const KeysOf = ({ account }: { readonly account: string }) => {
  const loaded = keys.use([account])
  const chosen = useSignal<Chosen | null>(null)
  const close = () => {
    chosen.value = null
  }
  const create = ({ scopes, ...wanted }: WantedKey) =>
    act<{ readonly key: string }>("keys.create", { ...wanted, account, scopes: scopes.join(",") })
  const { value } = chosen
  return (
    <>
      <List
        title={operating.account.keys}
        none={operating.account.noKeys}
        of={loaded}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hasEnded={({ revoked_at }) => revoked_at !== null}
        action={(key) => (
          <KeyDoings
            of={key}
            onEdit={() => {
              chosen.value = { to: "edit", key }
            }}
            onRevoke={() => {
              chosen.value = { to: "revoke", key }
            }}
          />
        )}
      >
        <Button
          icon="plus"
          onClick={() => {
            chosen.value = { to: "create" }
          }}
        >
          {text.create}
        </Button>
      </List>
      {value?.to === "create" && (
        <CreateKey create={create} canBeTest onChange={loaded.reload} onClose={close} />
      )}
      {value?.to === "edit" && (
        <EditKey
          of={value.key}
          update={(id, change) => act("keys.update", { account, id, ...change })}
          onChange={loaded.reload}
          onClose={close}
        />
      )}
      {value?.to === "revoke" && (
        <Confirm
          title={text.revokeTitle(nameOf(value.key))}
          text={text.revokeText}
          action={text.revoke}
          onClose={close}
          onConfirm={async () => {
            await act("keys.revoke", { account, id: value.key.id })
            loaded.reload()
          }}
        />
      )}
    </>
  )
}
