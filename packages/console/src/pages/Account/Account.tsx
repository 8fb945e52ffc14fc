/** Who is signed in, and how the session ends. */
import { useSignal } from "@preact/signals"
import { Fragment } from "preact"
import { sessions } from "../../data.js"
import { momentOf } from "../../format.js"
import { lettersOn } from "../../letters.js"
import { account, endSession, may, signOut } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Confirm, useWork } from "../../widgets/Dialog.js"
import { Check } from "../../widgets/Field.js"
import { MayNot } from "../../widgets/MayNot.js"
import { PageHead } from "../../widgets/Page.js"
import { Failure, LoadedView } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { words } from "../../words.js"
import { browserOf } from "./browserOf.js"

const text = building.account

/** A narrow column breaks a long one after its colon. */
const Scopes = ({ of }: { readonly of: ReadonlyArray<string> }) => (
  <>
    {of.map((scope, at) => {
      const [what, how] = scope.split(":")
      return (
        <Fragment key={scope}>
          {at > 0 && ", "}
          {what}
          {how !== undefined && (
            <>
              :<wbr />
              {how}
            </>
          )}
        </Fragment>
      )
    })}
  </>
)

const Sessions = () => {
  const loaded = sessions.use([])
  const work = useWork()
  const isEnding = useSignal(false)
  const end = (id: string) =>
    work.run(async () => {
      await endSession(id)
      loaded.reload()
    })
  return (
    <section class="card narrow">
      <h2>{text.sessions}</h2>
      <p class="soft">{text.sessionsText}</p>
      {work.error !== undefined && <Failure text={work.error} />}
      <LoadedView of={loaded}>
        {(found) => (
          <ul class="rows sessions">
            {found.map(({ id, is_current, created_at, scopes, key_name, user_agent }) => (
              <li key={id}>
                <span>
                  <strong>{browserOf(user_agent) ?? text.unknownBrowser}</strong>
                  <br />
                  <span class="soft">
                    {text.since(momentOf(created_at), key_name)} · <Scopes of={scopes} />
                  </span>
                </span>
                {is_current ? (
                  <span class="badge good">{text.thisOne}</span>
                ) : (
                  <Button onClick={() => void end(id)}>{text.end}</Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </LoadedView>
      <Button
        kind="danger"
        onClick={() => {
          isEnding.value = true
        }}
      >
        {text.endAll}
      </Button>
      {isEnding.value && (
        <Confirm
          title={text.endAllTitle}
          text={text.endAllText(loaded.value?.length ?? 0)}
          action={text.endAll}
          onConfirm={() => endSession()}
          onClose={() => {
            isEnding.value = false
          }}
        />
      )}
    </section>
  )
}

export const Page = () => {
  const { value } = account
  if (value === null || value === undefined) return null
  return (
    <>
      <PageHead title={text.title} calls={[{ name: "account.get" }, { name: "GET /api/v1/sessions" }]}>
        <Button onClick={() => void signOut()}>{words.app.signOut}</Button>
      </PageHead>
      <section class="card narrow">
        <dl class="facts">
          <dt>{text.name}</dt>
          <dd dir="auto">{value.name ?? "–"}</dd>
          <dt>{text.id}</dt>
          <dd>
            <code>{value.id}</code>
          </dd>
          <dt>{text.mode}</dt>
          <dd>{value.is_test ? text.test : text.live}</dd>
          <dt>{text.permissions}</dt>
          <dd>
            <code>
              <Scopes of={value.scopes} />
            </code>
          </dd>
        </dl>
      </section>
      {may("keys") ? (
        <Sessions />
      ) : (
        <section class="card narrow">
          <h2>{text.sessions}</h2>
          <MayNot scope="keys" />
        </section>
      )}
      <section class="card narrow">
        <h2>{text.keyboard}</h2>
        <Check
          checked={lettersOn.value}
          help={text.lettersText}
          onChange={(checked) => {
            lettersOn.value = checked
          }}
        >
          {text.letters}
        </Check>
      </section>
    </>
  )
}
