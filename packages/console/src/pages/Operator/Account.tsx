/** One account: what it may, what it has, and what can be done with it. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import type { Params } from "../../addresses.js"
import { quoted } from "../../calls.js"
import { momentOf, numberOf } from "../../format.js"
import { Button } from "../../widgets/Button.js"
import { LoadedView, Notice } from "../../widgets/States.js"
import { operating } from "../../words/operating.js"
import { ActDialog } from "./ActDialog.js"
import { account, entries, grants } from "./data.js"
import { type Answer, type Doing, doings } from "./doings.js"
import { Frame } from "./Frame.js"
import { KeysOf } from "./KeysOf.js"
import { Apps, Ledger } from "./ofAccount.js"

const text = operating.account

type Shown = NonNullable<ReturnType<typeof account.use>["value"]>

const Facts = ({ of }: { readonly of: Shown }) => {
  const { credits, limits } = of
  const figures: ReadonlyArray<readonly [number, string]> = [
    [credits.available, text.available],
    [credits.held, text.held],
    [credits.balance, text.balance],
  ]
  const facts: ReadonlyArray<readonly [string, ComponentChildren]> = [
    [text.id, <code>{of.id}</code>],
    [text.email, of.email ?? "–"],
    [text.created, momentOf(of.created_at)],
    [text.paid, of.is_paid ? operating.accounts.yes : operating.accounts.no],
    [text.fields.media_minutes, limits.max_media_minutes ?? text.byServer],
    [text.fields.upload_bytes, limits.max_upload_bytes ?? text.byServer],
    [text.fields.waiting_jobs, limits.max_waiting_jobs ?? text.byServer],
  ]
  return (
    <>
      <div class="figures">
        {figures.map(([value, name]) => (
          <p key={name}>
            <strong>{numberOf(value)}</strong> {name}
          </p>
        ))}
      </div>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </>
  )
}

const commandsFor = (id: string): ReadonlyArray<string> => {
  const of = quoted(id)
  return [
    `earmark accounts show ${of}`,
    `earmark accounts limits ${of}`,
    `earmark accounts rename ${of} --name NAME`,
    `earmark accounts grants ${of}`,
    `earmark keys list --account ${of}`,
    `earmark keys create --account ${of} --scopes transcriptions:read,transcriptions:write`,
    `earmark credits entries --account ${of}`,
    `earmark credits grant --account ${of} --minutes 100`,
  ]
}

export const Page = ({ params: { id = "" } }: { readonly params: Params }) => {
  const loaded = account.use([id])
  const doing = useSignal<Doing | null>(null)
  const said = useSignal<string | null>(null)
  const refresh = () => void Promise.all([account, grants, entries].map((each) => each.refresh([id])))
  const choose = (next: Doing) => {
    said.value = null
    doing.value = next
  }
  const started = doing.value
  return (
    <Frame
      title={loaded.value?.name ?? id}
      text={text.text}
      page="operatorAccount"
      commands={commandsFor(id)}
      answer={loaded.value}
    >
      {said.value !== null && <Notice kind="good">{said.value}</Notice>}
      <LoadedView of={loaded}>
        {(of) => (
          <>
            <Facts of={of} />
            <p class="doings">
              {doings(of).map((each) => (
                <Button key={each.title} onClick={() => choose(each)}>
                  {each.title}
                </Button>
              ))}
            </p>
            <KeysOf account={id} />
            <Apps account={id} onRevoke={choose} />
            <Ledger account={id} />
          </>
        )}
      </LoadedView>
      {started !== null && (
        <ActDialog<Answer>
          {...started}
          onDone={(answer) => {
            said.value = started.says?.(answer) ?? operating.done
            refresh()
          }}
          onClose={() => {
            doing.value = null
          }}
        />
      )}
    </Frame>
  )
}
