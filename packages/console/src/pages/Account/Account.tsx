/** Who is signed in, and how the session ends. */
import { lettersOn } from "../../letters.js"
import { account, signOut } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Check } from "../../widgets/Field.js"
import { PageHead } from "../../widgets/Page.js"
import { words } from "../../words.js"

const text = words.account

export const Page = () => {
  const { value } = account
  if (value === null || value === undefined) return null
  return (
    <>
      <PageHead title={text.title} calls={[{ name: "credits.get" }]}>
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
            <code>{value.scopes.join(", ")}</code>
          </dd>
        </dl>
      </section>
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
