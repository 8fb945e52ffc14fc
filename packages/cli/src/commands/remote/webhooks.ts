/** The webhook endpoints of an account, and what was sent to them. */
import type { WebhookEndpoint } from "@earmark/api/client"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { failed } from "../../CommandFailed.js"
import type { Page } from "../../help.js"
import { note } from "../../output.js"
import { ask } from "../../remote/ask.js"
import { factsOf, tableOf } from "../../table.js"
import {
  json,
  jsonAnswer,
  moment,
  orNone,
  pageOf,
  paging,
  say,
  sayDone,
  show,
} from "../administration/administer.js"
import { listen, listenPage } from "./listen.js"
import { where } from "./options.js"

const endpoint = Args.text({ name: "endpoint" }).pipe(Args.withDescription("The id of an endpoint: we_..."))

const url = Args.text({ name: "url" }).pipe(
  Args.withDescription("Where deliveries go: an https address that this service can reach."),
)

const events = Options.choice("event", ["transcription.completed", "transcription.failed"]).pipe(
  Options.withDescription("Only this event; both when left out."),
  Options.optional,
)

const description = Options.text("description").pipe(
  Options.withDescription("What the endpoint is for."),
  Options.optional,
)

const WAY_OUT =
  "To see deliveries on this machine: earmark webhooks listen. A service sends them to private addresses when it was started with EARMARK_EGRESS_ALLOW, such as EARMARK_EGRESS_ALLOW=127.0.0.0/8."

const KEEP = "Keep the secret now: it is not shown again."

const add = Command.make("add", { url, ...where, events, description, json }, (options) =>
  Effect.gen(function* () {
    const made = yield* ask(options, (client, { signal }) =>
      client.webhooks.create(
        {
          url: options.url,
          events: Option.match(options.events, { onNone: () => undefined, onSome: (event) => [event] }),
          description: Option.getOrUndefined(options.description),
        },
        { signal },
      ),
    ).pipe(
      Effect.mapError((error) =>
        error.message.endsWith("[blocked_address]") ? failed(`${error.message} ${WAY_OUT}`) : error,
      ),
    )
    yield* show(made, options.json, ({ id, url, events, secret }) =>
      factsOf([
        ["id", id],
        ["url", url],
        ["events", events.join(", ")],
        ["secret", secret],
      ]),
    )
    yield* note(KEEP)
  }),
).pipe(Command.withDescription("Register an address that is told when transcriptions end."))

const stateOf = ({ enabled, disabled_reason }: WebhookEndpoint): string =>
  enabled ? "on" : `off (${disabled_reason ?? "manual"})`

const list = Command.make("list", { ...where, ...paging, json }, (options) =>
  Effect.gen(function* () {
    const page = yield* pageOf(options, (place) =>
      ask(options, (client, { signal }) => client.webhooks.list(place, { signal })),
    )
    yield* show(
      page,
      options.json,
      ({ data }) =>
        data.length === 0
          ? ""
          : tableOf(
              [
                { head: "id", cell: (each) => each.id },
                { head: "state", cell: stateOf },
                { head: "url", cell: (each) => each.url },
                { head: "description", cell: (each) => each.description },
              ],
              data,
            ),
      orNone("There are no endpoints."),
    )
  }),
).pipe(Command.withDescription("List the endpoints of the account."))

const test = Command.make("test", { endpoint, ...where, json }, (options) =>
  Effect.gen(function* () {
    const delivery = yield* ask(options, (client, { signal }) =>
      client.webhooks.test(options.endpoint, { signal }),
    )
    yield* say(delivery, options.json, ({ id, note }) =>
      [
        `${id} is on its way. What became of it: earmark webhooks deliveries ${options.endpoint}`,
        ...(note === undefined ? [] : [note]),
      ].join("\n"),
    )
  }),
).pipe(Command.withDescription("Send a webhook.test event to an endpoint."))

const grace = Options.integer("grace").pipe(
  Options.withDescription("For how many seconds the old secret signs as well (default a day)."),
  Options.optional,
)

const rotate = Command.make("rotate", { endpoint, ...where, grace, json }, (options) =>
  Effect.gen(function* () {
    const rotated = yield* ask(options, (client, { signal }) =>
      client.webhooks.rotateSecret(
        options.endpoint,
        { grace_seconds: Option.getOrUndefined(options.grace) },
        { signal },
      ),
    )
    yield* show(rotated, options.json, ({ id, secret }) =>
      factsOf([
        ["id", id],
        ["secret", secret],
      ]),
    )
    yield* note(KEEP)
  }),
).pipe(Command.withDescription("Make a new secret; for a while deliveries are signed with both."))

const remove = Command.make("delete", { endpoint, ...where, json: jsonAnswer }, (options) =>
  Effect.gen(function* () {
    yield* ask(options, (client, { signal }) => client.webhooks.delete(options.endpoint, { signal }))
    const { endpoint: id } = options
    yield* sayDone({ id, deleted: true }, options.json, `${id} is deleted.`)
  }),
).pipe(Command.withDescription("Delete an endpoint. What is still due to it is not sent."))

const state = Options.choice("state", ["pending", "delivering", "succeeded", "failed", "canceled"]).pipe(
  Options.withDescription("Only deliveries in this state."),
  Options.optional,
)

const deliveries = Command.make("deliveries", { endpoint, ...where, state, ...paging, json }, (options) =>
  Effect.gen(function* () {
    const page = yield* pageOf(options, (place) =>
      ask(options, (client, { signal }) =>
        client.webhooks.deliveries(
          options.endpoint,
          { ...place, status: Option.getOrUndefined(options.state) },
          { signal },
        ),
      ),
    )
    yield* show(
      page,
      options.json,
      ({ data }) =>
        data.length === 0
          ? ""
          : tableOf(
              [
                { head: "id", cell: (each) => each.id },
                { head: "state", cell: (each) => each.state },
                { head: "attempts", cell: (each) => each.attempts },
                { head: "answer", cell: (each) => each.last_status },
                { head: "next", cell: (each) => moment(each.next_at) },
                { head: "event", cell: (each) => each.event_id },
              ],
              data,
            ),
      orNone("Nothing was sent."),
    )
  }),
).pipe(Command.withDescription("List what was sent to an endpoint, and what came of it."))

const delivery = Args.text({ name: "delivery" }).pipe(Args.withDescription("The id of a delivery: dlv_..."))

const redeliver = Command.make("redeliver", { endpoint, delivery, ...where, json }, (options) =>
  Effect.gen(function* () {
    const sent = yield* ask(options, (client, { signal }) =>
      client.webhooks.redeliver(options.endpoint, options.delivery, { signal }),
    )
    yield* say(sent, options.json, ({ id }) => `${id} is sent once more.`)
  }),
).pipe(Command.withDescription("Send a delivery once more, whatever became of it."))

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Tell other programs when transcriptions end."),
  Command.withSubcommands([add, list, test, rotate, remove, deliveries, redeliver, listen]),
)

export const webhooksPage: Page = {
  name: "webhooks",
  descriptor: webhooks.descriptor,
  examples: ["earmark webhooks add https://example.org/earmark"],
  children: [
    {
      name: "add",
      descriptor: add.descriptor,
      examples: ['earmark webhooks add "$URL" --event transcription.completed'],
      children: [],
    },
    { name: "list", descriptor: list.descriptor, examples: ["earmark webhooks list"], children: [] },
    {
      name: "test",
      descriptor: test.descriptor,
      examples: ['earmark webhooks test "$ENDPOINT"'],
      children: [],
    },
    {
      name: "rotate",
      descriptor: rotate.descriptor,
      examples: ['earmark webhooks rotate "$ENDPOINT" --grace 3600'],
      children: [],
    },
    {
      name: "delete",
      descriptor: remove.descriptor,
      examples: ['earmark webhooks delete "$ENDPOINT"'],
      children: [],
    },
    {
      name: "deliveries",
      descriptor: deliveries.descriptor,
      examples: ['earmark webhooks deliveries "$ENDPOINT" --state failed'],
      children: [],
    },
    {
      name: "redeliver",
      descriptor: redeliver.descriptor,
      examples: ['earmark webhooks redeliver "$ENDPOINT" "$DELIVERY"'],
      children: [],
    },
    listenPage,
  ],
}
