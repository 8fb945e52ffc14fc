import {
  type AccountId,
  afterOutcome,
  type EndpointId,
  EndpointNotFound,
  isFailingForGood,
} from "@earmark/core/jobs"
import type { DisabledReason } from "@earmark/core/wire"
import { Either } from "effect"
import { changedEndpoint, rotatedSecrets } from "../ports/stored.js"
import type {
  EndpointChange,
  SecretNotRotated,
  SecretRotation,
  StoredEndpoint,
} from "../ports/WebhookStore.js"
import type { Transaction } from "./MemoryDatabase.js"

export const findEndpoint = (
  db: Transaction,
  account: AccountId,
  id: EndpointId,
): Either.Either<StoredEndpoint, EndpointNotFound> => {
  const endpoint = db.endpoints.get(id)
  return endpoint?.account === account ? Either.right(endpoint) : Either.left(new EndpointNotFound({ id }))
}

/** Nothing more goes to the endpoint. */
export const cancelPending = (db: Transaction, endpoint: EndpointId): void => {
  const open = db.deliveries.filter(
    ({ endpoint: target, state }) => target === endpoint && (state === "pending" || state === "delivering"),
  )
  for (const row of open) {
    db.deliveries.set(row.id, { ...row, state: "canceled", nextAt: null, token: null, before: null })
  }
}

export const changeEndpoint = (
  db: Transaction,
  endpoint: StoredEndpoint,
  change: EndpointChange,
): StoredEndpoint => {
  const next = changedEndpoint(endpoint, change)
  db.endpoints.set(endpoint.id, next)
  if (!next.enabled) cancelPending(db, endpoint.id)
  return next
}

export const rotateSecret = (
  db: Transaction,
  endpoint: StoredEndpoint,
  rotation: SecretRotation,
): Either.Either<StoredEndpoint, SecretNotRotated> =>
  Either.map(rotatedSecrets(endpoint.secrets, rotation, db.now), (secrets) => {
    const rotated = { ...endpoint, secrets }
    db.endpoints.set(endpoint.id, rotated)
    return rotated
  })

export const disable = (db: Transaction, endpoint: StoredEndpoint, disabledReason: DisabledReason): void => {
  changeEndpoint(db, endpoint, { enabled: false, disabledReason })
}

/** What an attempt tells about its endpoint. One that fails for good is switched off. */
export const noteOutcome = (
  db: Transaction,
  id: EndpointId,
  attempt: { readonly succeeded: boolean; readonly eventId: string },
  unitSeconds: number,
): void => {
  const endpoint = db.endpoints.get(id)
  if (endpoint === undefined) return
  const circuit = afterOutcome(endpoint.circuit, { ...attempt, now: db.now }, unitSeconds)
  const noted = { ...endpoint, circuit }
  db.endpoints.set(id, noted)
  if (endpoint.enabled && isFailingForGood(circuit, db.now)) disable(db, noted, "failing")
}
