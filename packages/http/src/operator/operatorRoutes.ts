/** What the operator does in a browser: the operations of the administration under their names, and what this process says of itself. */
import type { ProblemCode } from "@earmark/core/wire"
import {
  Administration,
  type AdministrationCode,
  type AdministrationRefused,
  type Change,
  Figures,
  operations,
  type StoreFigures,
} from "@earmark/service"
import { Effect, Option } from "effect"
import { Refusal } from "../answers/Refusal.js"
import { jsonReply } from "../answers/Reply.js"
import type { Failure } from "../answers/refusalOf.js"
import type { Arrived, Caller } from "../requests/Arrived.js"
import { OPERATOR_PATH } from "../requests/authenticate.js"
import { readBody } from "../requests/readBody.js"
import { readQuery } from "../requests/readQuery.js"
import type { Route } from "../routes/Route.js"

/** What a host can say of itself to its operator: plain JSON. */
export interface MachineFacts {
  readonly machine?: {
    /** What `earmark doctor` finds. */
    readonly checks: Effect.Effect<ReadonlyArray<unknown>>
    /** The settings in force, without secrets. */
    readonly settings: ReadonlyArray<unknown>
    /** Where data is, how much room there is, and for how long things are kept. */
    readonly storage: Effect.Effect<object>
  }
}

const CODES: Readonly<Record<AdministrationCode, ProblemCode>> = {
  invalid_request: "invalid_request",
  cursor_invalid: "invalid_request",
  unknown_operation: "not_found",
  account_not_found: "not_found",
  key_not_found: "not_found",
  grant_not_found: "not_found",
  purchase_not_found: "not_found",
  job_not_dead: "not_found",
  purchase_not_manual: "invalid_state",
  purchase_paid: "invalid_state",
  purchase_canceled: "invalid_state",
  already_linked: "invalid_state",
  email_taken: "invalid_state",
  reference_taken: "invalid_state",
  out_of_credits: "invalid_state",
  unavailable: "unavailable",
  outcome_unknown: "unavailable",
  store_in_use: "unavailable",
  store_missing: "internal_error",
  not_permitted: "internal_error",
  internal_error: "internal_error",
}

const refusalOf = ({ code, message }: AdministrationRefused): Refusal =>
  new Refusal({ code: CODES[code], detail: message })

type Answer = (arrived: Arrived, caller: Caller) => Effect.Effect<unknown, Failure>

const routeOf = (name: string, change: Change, answer: Answer): Route => ({
  method: change === "none" ? "GET" : "POST",
  path: `${OPERATOR_PATH}${name}`,
  answer: {
    type: "guarded",
    isForOperators: true,
    access: { scope: null, rate: "read", ...(change === "final" && { needsFreshSignIn: true }) },
    reply: (arrived, caller) => Effect.map(answer(arrived, caller), (value) => jsonReply(200, value)),
  },
})

const figuresOf = ({ phases, queue, deliveries, credits }: StoreFigures) => {
  const { oldestSeconds, ...entries } = queue
  const { overdueSeconds, ...open } = deliveries
  return {
    jobs: phases,
    queue: { ...entries, oldest_seconds: oldestSeconds },
    webhooks: { ...open, overdue_seconds: overdueSeconds },
    credits,
  }
}

/** Engines are tried by it: not again and again. */
const CHECKED_FOR = "30 seconds"

const machineRoutes = ({ machine }: MachineFacts) =>
  Effect.gen(function* () {
    const store = yield* Figures
    const figures = Effect.map(store.read, figuresOf)
    const own = [routeOf("server.figures", "none", () => figures)]
    if (machine === undefined) return own
    const checks = yield* Effect.cachedWithTTL(machine.checks, CHECKED_FOR)
    return [
      ...own,
      routeOf("server.checks", "none", () => Effect.map(checks, (data) => ({ data }))),
      routeOf("server.settings", "none", () => Effect.succeed({ data: machine.settings })),
      routeOf("server.storage", "none", () => machine.storage),
    ]
  })

/** Where a process has the administration. Only sessions of operators find anything here. */
export const operatorRoutes = (facts: MachineFacts) =>
  Effect.gen(function* () {
    const found = yield* Effect.serviceOption(Administration)
    if (Option.isNone(found)) return []
    const { ask } = found.value

    const answerOf =
      (name: string, change: Change): Answer =>
      ({ request, query }, { session }) =>
        Effect.gen(function* () {
          const given = change === "none" ? yield* readQuery(query) : yield* readBody(request, true)
          const answer = yield* Effect.mapError(ask(name, given), refusalOf)
          if (change !== "none")
            yield* Effect.annotateLogs(Effect.logInfo("An operator changed something in the console"), {
              operation: name,
              session: session?.id,
            })
          return answer
        })

    return [
      ...Object.values(operations)
        .filter(({ change }) => change !== "local")
        .map(({ name, change }) => routeOf(name, change, answerOf(name, change))),
      ...(yield* machineRoutes(facts)),
    ]
  })
