/** One endpoint, and what was sent to it. */
import type { WebhookEndpoint, WebhookEndpointWithSecret } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useState } from "preact/hooks"
import { addressOf, type Params } from "../../addresses.js"
import { deliveries, endpoint, endpoints } from "../../data.js"
import { momentOf } from "../../format.js"
import { Link, navigate } from "../../router.js"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { Confirm, Dialog, DialogForm, useWork } from "../../widgets/Dialog.js"
import { SelectField } from "../../widgets/Field.js"
import { PageHead } from "../../widgets/Page.js"
import { Failure, LoadedView, Notice, NotOpened } from "../../widgets/States.js"
import { building } from "../../words/building.js"
import { Deliveries } from "./Deliveries.js"
import { EndpointState, FOLLOWING } from "./EndpointState.js"
import { NewSecret } from "./NewSecret.js"

const text = building.webhooks
const SCHEME = /^https?:\/\//
const LAST_SLASH = /\/$/
const GRACES = ["86400", "3600", "604800", "0"] as const

interface RotateProps {
  readonly id: string
  readonly onChange: () => void
  readonly onClose: () => void
}

const Rotate = ({ id, onChange, onClose }: RotateProps) => {
  const [rotated, setRotated] = useState<WebhookEndpointWithSecret | null>(null)
  const work = useWork()
  if (rotated !== null) {
    const { secret, previous_secret_valid_until } = rotated
    return <NewSecret of={secret} oldUntil={previous_secret_valid_until} onClose={onClose} />
  }
  const rotate = (form: HTMLFormElement) =>
    work.run(async () => {
      const grace = Number(new FormData(form).get("grace"))
      setRotated(await earmark.webhooks.rotateSecret(id, { grace_seconds: grace }))
      onChange()
    })
  return (
    <Dialog title={text.rotate} onClose={onClose}>
      <DialogForm action={text.rotate} isBusy={work.isBusy} onSubmit={rotate} onClose={onClose}>
        <p>{text.rotateText}</p>
        <SelectField
          label={text.grace}
          error={work.error}
          name="grace"
          options={GRACES.map((seconds) => [seconds, text.graces[seconds]])}
        />
      </DialogForm>
    </Dialog>
  )
}

const Buttons = ({ of, onChange }: { readonly of: WebhookEndpoint; readonly onChange: () => void }) => {
  const asked = useSignal<"rotate" | "disable" | "delete" | null>(null)
  const work = useWork()
  const close = () => {
    asked.value = null
  }
  const test = () =>
    work.run(async () => {
      const { id } = await earmark.webhooks.test(of.id)
      navigate(addressOf("delivery", { id: of.id, delivery: id }))
    })
  const update = async (enabled: boolean) => {
    await earmark.webhooks.update(of.id, { enabled })
    onChange()
    deliveries.refreshAll()
  }
  const toggle = () => {
    if (of.enabled) asked.value = "disable"
    else void work.run(() => update(true))
  }
  return (
    <>
      {work.error !== undefined && <Failure text={work.error} />}
      <Button kind="primary" isBusy={work.isBusy} onClick={() => void test()}>
        {text.test}
      </Button>
      <Button
        onClick={() => {
          asked.value = "rotate"
        }}
      >
        {text.rotate}
      </Button>
      <Button isBusy={work.isBusy} onClick={toggle}>
        {of.enabled ? text.disable : text.enable}
      </Button>
      <Button
        kind="danger"
        onClick={() => {
          asked.value = "delete"
        }}
      >
        {text.delete}
      </Button>
      {asked.value === "rotate" && <Rotate id={of.id} onChange={onChange} onClose={close} />}
      {asked.value === "disable" && (
        <Confirm
          title={text.disableTitle}
          text={text.disableText}
          action={text.disable}
          onClose={close}
          onConfirm={() => update(false)}
        />
      )}
      {asked.value === "delete" && (
        <Confirm
          title={text.deleteTitle}
          text={`${of.url}. ${text.deleteText}`}
          action={text.delete}
          onClose={close}
          onConfirm={async () => {
            await earmark.webhooks.delete(of.id)
            endpoints.refreshAll()
            navigate(addressOf("webhooks"))
          }}
        />
      )}
    </>
  )
}

/** Until when the secret before the current one signs as well; nothing where none does. */
const OldSecret = ({ of, onChange }: { readonly of: WebhookEndpoint; readonly onChange: () => void }) => {
  const isEnding = useSignal(false)
  const { id, previous_secret_valid_until: until } = of
  if (until === null) return null
  return (
    <>
      <Notice>
        <span>{text.oldUntil(momentOf(until))}</span>{" "}
        <Button
          onClick={() => {
            isEnding.value = true
          }}
        >
          {text.endOld}
        </Button>
      </Notice>
      {isEnding.value && (
        <Confirm
          title={text.endOldTitle}
          text={text.endOldText}
          action={text.endOld}
          onClose={() => {
            isEnding.value = false
          }}
          onConfirm={async () => {
            await earmark.webhooks.update(id, { previous_secret_valid_until: null })
            onChange()
          }}
        />
      )}
    </>
  )
}

/** Endpoints at one host are told apart by what follows it. */
const titleOf = ({ url }: WebhookEndpoint): string => url.replace(SCHEME, "").replace(LAST_SLASH, "")

export const Page = ({ params: { id = "" } }: { readonly params: Params }) => {
  const loaded = endpoint.use([id], { every: FOLLOWING })
  const calls = [
    { name: "webhooks.get", ids: [id] },
    { name: "webhooks.deliveries", ids: [id] },
    { name: "webhooks.test", ids: [id] },
  ]
  if (loaded.error !== undefined && loaded.value === undefined)
    return (
      <NotOpened of={loaded} title={text.notOpened}>
        <Link to="webhooks" class="button">
          {text.title}
        </Link>
      </NotOpened>
    )
  return (
    <LoadedView of={loaded}>
      {(of) => (
        <>
          <PageHead
            title={titleOf(of)}
            text={
              <>
                <EndpointState of={of} /> <code>{of.url}</code>
                {of.description !== null && <p dir="auto">{of.description}</p>}
              </>
            }
            calls={calls}
          >
            <Buttons of={of} onChange={loaded.reload} />
          </PageHead>
          <OldSecret of={of} onChange={loaded.reload} />
          <Deliveries id={id} />
        </>
      )}
    </LoadedView>
  )
}
