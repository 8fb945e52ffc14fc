/** All accounts, newest first. */
import { useSignal } from "@preact/signals"
import { addressOf } from "../../addresses.js"
import { Link, navigate } from "../../router.js"
import { Ago } from "../../widgets/Ago.js"
import { Button } from "../../widgets/Button.js"
import { type Column, DataTable } from "../../widgets/DataTable.js"
import { Field } from "../../widgets/Field.js"
import { LoadedView } from "../../widgets/States.js"
import { operating } from "../../words/operating.js"
import { ActDialog } from "./ActDialog.js"
import { accounts, type OperatedAccount } from "./data.js"
import { cursorOf, Frame, Turn } from "./Frame.js"

const text = operating.accounts

const COLUMNS: ReadonlyArray<Column<OperatedAccount>> = [
  {
    head: text.columns.name,
    isMain: true,
    cell: ({ id, name }) => (
      <>
        <Link to="operatorAccount" params={{ id }} class="title">
          <bdi>{name}</bdi>
        </Link>
        <small>{id}</small>
      </>
    ),
  },
  { head: text.columns.email, cell: ({ email }) => email ?? "–" },
  { head: text.columns.paid, cell: ({ is_paid }) => (is_paid ? text.yes : text.no) },
  {
    head: text.columns.created,
    cell: ({ created_at }) => <Ago of={created_at} />,
  },
]

const FIELDS = [
  { name: "name", label: text.name },
  { name: "email", label: text.email, help: text.emailHelp },
] as const

const OpenById = () => (
  <form
    class="inline"
    onSubmit={(event) => {
      event.preventDefault()
      const id = new FormData(event.currentTarget).get("id")
      if (typeof id === "string") navigate(addressOf("operatorAccount", { id: id.trim() }))
    }}
  >
    <Field label={text.open}>
      {(facts) => (
        <input {...facts} name="id" required placeholder="acct_…" autocomplete="off" spellcheck={false} />
      )}
    </Field>
    <Button type="submit">{text.openSubmit}</Button>
  </form>
)

export const Page = () => {
  const loaded = accounts.use([cursorOf()])
  const isCreating = useSignal(false)
  return (
    <Frame
      title={text.title}
      text={text.text}
      page="operatorAccounts"
      commands={["earmark accounts list", "earmark accounts create --email ann@example.org"]}
      answer={loaded.value}
      actions={
        <Button
          kind="primary"
          icon="plus"
          onClick={() => {
            isCreating.value = true
          }}
        >
          {text.create}
        </Button>
      }
    >
      <OpenById />
      <LoadedView of={loaded}>
        {({ data, next_cursor }) => (
          <>
            <DataTable columns={COLUMNS} of={data} keyOf={({ id }) => id} />
            <Turn next={next_cursor} />
          </>
        )}
      </LoadedView>
      {isCreating.value && (
        <ActDialog<OperatedAccount>
          title={text.create}
          text={text.createText}
          operation="accounts.create"
          fields={FIELDS}
          onDone={({ id }) => navigate(addressOf("operatorAccount", { id }))}
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
    </Frame>
  )
}
