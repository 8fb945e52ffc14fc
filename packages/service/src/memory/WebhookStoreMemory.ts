import { type AccountId, type DeliveryId, DeliveryNotFound, type EndpointId } from "@earmark/core/jobs"
import { Effect, Either, Layer } from "effect"
import { WebhookStore } from "../ports/WebhookStore.js"
import { reapDeliveries, recordAttempt, releaseDelivery } from "./attempts.js"
import { claimDeliveries, shownDelivery } from "./claimDeliveries.js"
import { cancelPending, changeEndpoint, findEndpoint, rotateSecret } from "./endpoints.js"
import { newDelivery } from "./events.js"
import { guarded } from "./guards.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import { isWithin, mapPage, pageOf } from "./pages.js"
import type { DeliveryRow } from "./rows.js"

const ATTEMPTS_ARE_KEPT = 30 * 86_400_000

const findDelivery = (
  db: Transaction,
  account: AccountId,
  endpoint: EndpointId,
  id: DeliveryId,
): Either.Either<DeliveryRow, DeliveryNotFound> => {
  const row = db.deliveries.get(id)
  const isOwn = row?.account === account && row.endpoint === endpoint && db.endpoints.has(endpoint)
  return isOwn ? Either.right(row) : Either.left(new DeliveryNotFound({ id }))
}

const detailsOf = (db: Transaction, row: DeliveryRow) => {
  const attempts = db.attempts.filter(({ delivery }) => delivery === row.id)
  return {
    ...shownDelivery(row),
    body: db.events.get(row.eventId)?.body ?? "",
    attemptLog: attempts.map(({ attempt }) => attempt).sort((left, right) => left.number - right.number),
  }
}

const redeliver = (db: Transaction, row: DeliveryRow): DeliveryRow => {
  // The attempt under way, or one asked for already, is the one that is asked for.
  if (row.state === "delivering" || row.before !== null) return row
  const asked: DeliveryRow = {
    ...row,
    state: "pending",
    nextAt: db.now,
    trigger: "manual",
    before: { state: row.state, nextAt: row.nextAt },
  }
  db.deliveries.set(row.id, asked)
  db.wake("deliveries")
  return asked
}

const sweepAttempts = (db: Transaction, limit: number): number => {
  const old = db.attempts.filter(({ startedAt }) => startedAt < db.now - ATTEMPTS_ARE_KEPT).slice(0, limit)
  const gone = new Set(old)
  db.attempts.deleteWhere((row) => gone.has(row))
  return old.length
}

export const layer = Layer.effect(
  WebhookStore,
  Effect.gen(function* () {
    const { transact, wakeUps } = yield* MemoryDatabase

    return WebhookStore.of({
      createEndpoint: (endpoint, { guard }) =>
        transact((db) =>
          guarded(db, endpoint.account, guard, () => {
            if (!db.endpoints.has(endpoint.id)) db.endpoints.set(endpoint.id, endpoint)
            return Either.void
          }),
        ),
      endpoints: (account, page) =>
        transact((db) => {
          const own = db.endpoints.filter((endpoint) => endpoint.account === account)
          return Either.right(pageOf(own, page))
        }),
      endpoint: (account, id) => transact((db) => findEndpoint(db, account, id)),
      updateEndpoint: (account, id, changes) =>
        transact((db) =>
          Either.map(findEndpoint(db, account, id), (endpoint) => changeEndpoint(db, endpoint, changes)),
        ),
      rotateSecret: (account, id, rotation) =>
        transact((db) =>
          Either.flatMap(findEndpoint(db, account, id), (endpoint) => rotateSecret(db, endpoint, rotation)),
        ),
      removeEndpoint: (account, id) =>
        transact((db) =>
          Either.map(findEndpoint(db, account, id), () => {
            cancelPending(db, id)
            db.endpoints.delete(id)
          }),
        ),
      deliveries: (account, endpoint, filter) =>
        transact((db) =>
          Either.map(findEndpoint(db, account, endpoint), () => {
            const { state, eventType } = filter
            const fits = (row: DeliveryRow) =>
              row.endpoint === endpoint &&
              (state === undefined || row.state === state) &&
              (eventType === undefined || row.eventType === eventType) &&
              isWithin(row, filter)
            return mapPage(pageOf(db.deliveries.filter(fits), filter), shownDelivery)
          }),
        ),
      delivery: (account, endpoint, id) =>
        transact((db) => Either.map(findDelivery(db, account, endpoint, id), (row) => detailsOf(db, row))),
      redeliver: (account, endpoint, id) =>
        transact((db) =>
          Either.map(findDelivery(db, account, endpoint, id), (row) => shownDelivery(redeliver(db, row))),
        ),
      createTest: (account, endpoint, id, event, body) =>
        transact((db) =>
          Either.map(findEndpoint(db, account, endpoint), (target) => {
            const row = { id: event.id, account, type: event.type, body }
            db.events.set(row.id, row)
            const delivery = newDelivery(db, target, row, { id, trigger: "test" })
            db.deliveries.set(id, delivery)
            db.wake("deliveries")
            return shownDelivery(delivery)
          }),
        ),
      claim: (options) => transact((db) => Either.right(claimDeliveries(db, options))),
      record: (claimed, outcome, rules) =>
        transact((db) => Either.right(recordAttempt(db, claimed, outcome, rules))),
      release: (claimed) => transact((db) => Either.right(releaseDelivery(db, claimed))),
      reapExpired: (limit, rules) => transact((db) => Either.right(reapDeliveries(db, limit, rules))),
      wakeUps: wakeUps("deliveries"),
      sweep: (limit) => transact((db) => Either.right(sweepAttempts(db, limit))),
    })
  }),
)
