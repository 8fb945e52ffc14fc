/** One delivery: the body as it was sent, and every attempt. */
import type { DeliveryAttempt, WebhookDeliveryWithAttempts } from "@earmark/api/client"
import type { Params } from "../../addresses.js"
import { delivery } from "../../data.js"
import { momentOf } from "../../format.js"
import { Link } from "../../router.js"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { useWork } from "../../widgets/Dialog.js"
import { Icon } from "../../widgets/Icon.js"
import { Copy } from "../../widgets/Once.js"
import { PageHead } from "../../widgets/Page.js"
import { Failure, LoadedView, Notice } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { DeliveryState, nextTryOf } from "./EndpointState.js"

const text = building.webhooks

const headersText = (headers: Readonly<Record<string, string>> | null): string =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

const Block = ({ name, content }: { readonly name: string; readonly content: string }) => (
  <div class="sample">
    <header>
      <h3>{name}</h3>
    </header>
    <pre tabIndex={0}>
      <code>{content}</code>
    </pre>
  </div>
)

const answerOf = ({ response_headers, response_body }: DeliveryAttempt): string =>
  [headersText(response_headers), response_body ?? ""].filter((part) => part !== "").join("\n\n")

const Attempt = ({ of, isOpen }: { readonly of: DeliveryAttempt; readonly isOpen: boolean }) => {
  const isGood = of.status !== null && of.status >= 200 && of.status < 300
  const answer = answerOf(of)
  return (
    <details class="attempt card" open={isOpen}>
      <summary>
        <Icon name="down" />
        <strong>{text.attempt(of.number)}</strong>
        <span class={`badge ${isGood ? "good" : "bad"}`}>
          {of.status ?? (of.error === null ? text.noAnswer : text.errors[of.error])}
        </span>
        <span class="soft">{text.triggers[of.trigger]}</span>
        <span class="soft">{of.duration_ms === null ? "" : text.took(of.duration_ms)}</span>
        <time class="soft">{momentOf(of.started_at)}</time>
      </summary>
      <Block name={text.request} content={headersText(of.request_headers)} />
      {answer === "" ? (
        <p class="soft">{text.noResponse}</p>
      ) : (
        <Block name={text.response} content={answer} />
      )}
    </details>
  )
}

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const Redeliver = ({
  of,
  onChange,
}: {
  readonly of: WebhookDeliveryWithAttempts
  readonly onChange: () => void
}) => {
  const work = useWork()
  const again = () =>
    work.run(async () => {
      await earmark.webhooks.redeliver(of.endpoint_id, of.id)
      onChange()
    })
  return (
    <>
      {work.error !== undefined && <Failure text={work.error} />}
      <Button kind="primary" isBusy={work.isBusy} onClick={() => void again()}>
        {text.redeliver}
      </Button>
    </>
  )
}

/** What comes next; nothing of a delivery that was made or given up. */
const Progress = ({ of: { state, next_at } }: { readonly of: WebhookDeliveryWithAttempts }) => {
  if (state === "canceled") return <Notice kind="warn">{text.canceled}</Notice>
  if (state === "succeeded" || state === "failed") return null
  const isDue = next_at === null || new Date(next_at).getTime() <= Date.now()
  return <Notice>{isDue ? text.following : text.waiting(nextTryOf(next_at))}</Notice>
}

export const Page = ({ params }: { readonly params: Params }) => {
  const [id = "", of = ""] = [params.id, params.delivery]
  const loaded = delivery.use([id, of], { every: 1500 })
  const calls = [
    { name: "webhooks.delivery", ids: [id, of] },
    { name: "webhooks.redeliver", ids: [id, of] },
  ]
  return (
    <LoadedView of={loaded}>
      {(found) => (
        <>
          <PageHead
            title={found.event_type}
            text={
              <>
                <DeliveryState state={found.state} /> <code>{found.id}</code>{" "}
                <Link to="webhook" params={{ id }}>
                  {text.deliveries}
                </Link>
              </>
            }
            calls={calls}
          >
            <Redeliver of={found} onChange={loaded.reload} />
          </PageHead>
          <Progress of={found} />
          <div class="delivery">
            <section>
              <div class="sample">
                <header>
                  <h2>{text.body}</h2>
                  <Copy text={found.body} />
                </header>
                <pre tabIndex={0}>
                  <code>{pretty(found.body)}</code>
                </pre>
                <p class="help">{text.bodyText}</p>
              </div>
            </section>
            <section>
              <h2>{text.attempts}</h2>
              {found.attempt_log.toReversed().map((attempt, index) => (
                <Attempt key={attempt.number} of={attempt} isOpen={index === 0} />
              ))}
            </section>
          </div>
        </>
      )}
    </LoadedView>
  )
}
