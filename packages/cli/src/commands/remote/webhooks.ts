/** The webhook endpoints of an account, and what was sent to them. */

import type { WebhookEndpoint } from "@earmark/api/client"
import { Effect } from "effect"
import type { Given } from "../../grammar/Grammar.js"
import type { webhooks } from "../../grammar/remote.js"
import { note } from "../../output.js"
import { ifBlocked } from "../../remote/ask.js"
import { ask } from "../../remote/target.js"
import { listed, moment, say, sayDone, showFacts } from "../administration/administer.js"

const WAY_OUT =
  "To see deliveries on this machine: earmark webhooks listen. A server sends them to private addresses when it was started with EARMARK_EGRESS_ALLOW, such as EARMARK_EGRESS_ALLOW=127.0.0.0/8."

const KEEP = "Keep the secret now: it is not shown again."

export const add = (options: Given<typeof webhooks.commands.add>) =>
  Effect.gen(function* () {
    const made = yield* ask(options, (client, call) =>
      client.webhooks.create(
        {
          url: options.url,
          events: options.event === undefined ? undefined : [options.event],
          description: options.description,
        },
        call,
      ),
    ).pipe(ifBlocked(WAY_OUT))
    yield* showFacts(made, options.json, ({ id, url, events, secret }) => [
      ["id", id],
      ["url", url],
      ["events", events.join(", ")],
      ["secret", secret],
    ])
    yield* note(KEEP)
  })

const stateOf = ({ enabled, disabled_reason }: WebhookEndpoint): string =>
  enabled ? "on" : `off (${disabled_reason ?? "manual"})`

export const list = (options: Given<typeof webhooks.commands.list>) =>
  listed(
    options,
    (place) => ask(options, (client, call) => client.webhooks.list(place, call)),
    () => [
      { head: "id", cell: (each) => each.id },
      { head: "state", cell: stateOf },
      { head: "url", cell: (each) => each.url },
      { head: "description", cell: (each) => each.description },
    ],
    "There are no endpoints.",
  )

export const test = (options: Given<typeof webhooks.commands.test>) =>
  Effect.gen(function* () {
    const delivery = yield* ask(options, (client, call) => client.webhooks.test(options.endpoint, call))
    yield* say(delivery, options.json, ({ id, note }) =>
      [
        `${id} is on its way. What became of it: earmark webhooks deliveries ${options.endpoint}`,
        ...(note === undefined ? [] : [note]),
      ].join("\n"),
    )
  })

export const rotate = (options: Given<typeof webhooks.commands.rotate>) =>
  Effect.gen(function* () {
    const rotated = yield* ask(options, (client, call) =>
      client.webhooks.rotateSecret(options.endpoint, { grace_seconds: options.grace }, call),
    )
    yield* showFacts(rotated, options.json, ({ id, secret, previous_secret_valid_until }) => [
      ["id", id],
      ["secret", secret],
      ["old secret until", moment(previous_secret_valid_until)],
    ])
    yield* note(KEEP)
  })

const remove = (options: Given<typeof webhooks.commands.delete>) =>
  Effect.gen(function* () {
    yield* ask(options, (client, call) => client.webhooks.delete(options.endpoint, call))
    const { endpoint: id } = options
    yield* sayDone({ id, deleted: true }, options.json, `${id} is deleted.`)
  })

export const deliveries = (options: Given<typeof webhooks.commands.deliveries>) =>
  listed(
    options,
    (place) =>
      ask(options, (client, call) =>
        client.webhooks.deliveries(
          options.endpoint,
          {
            ...place,
            from: options.from,
            to: options.to,
            status: options.state,
            event_type: options.event,
          },
          call,
        ),
      ),
    () => [
      { head: "id", cell: (each) => each.id },
      { head: "state", cell: (each) => each.state },
      { head: "attempts", cell: (each) => each.attempts },
      { head: "answer", cell: (each) => each.last_status },
      { head: "next", cell: (each) => moment(each.next_at) },
      { head: "event", cell: (each) => each.event_id },
    ],
    "Nothing was sent.",
    { "--state": options.state, "--event": options.event, "--from": options.from, "--to": options.to },
  )

export const redeliver = (options: Given<typeof webhooks.commands.redeliver>) =>
  Effect.gen(function* () {
    const sent = yield* ask(options, (client, call) =>
      client.webhooks.redeliver(options.endpoint, options.delivery, call),
    )
    yield* say(sent, options.json, ({ id }) => `${id} is sent once more.`)
  })

export { listen } from "./listen.js"
export { remove as delete }
