import { type Adapter, type AdapterPayload, errors } from "oidc-provider"
import { isSecretId, storedId } from "../tokenId.js"
import type { KeptRecord, Records } from "./Records.js"

/** Processes of one app share their tokens and refresh them at the same time: for so long a used refresh token works again. */
const REUSE_SECONDS = 10

/** A client that nobody used for so long is forgotten. */
const CLIENT_SECONDS = 90 * 86_400
const DAY = 86_400_000

interface Facts {
  readonly records: Records
  readonly now: () => number
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null)

// Clients register with the scopes of the first challenge, which the library would take for all that they may ever ask for.
const withoutScope = ({ scope: _, ...client }: Record<string, unknown>) => client

const isInUse = (model: string, { consumedAt }: KeptRecord, now: number): boolean =>
  model === "RefreshToken" && consumedAt !== null && now - consumedAt < REUSE_SECONDS * 1000

/** The storage of the library, over records. */
export const makeAdapter =
  ({ records, now }: Facts) =>
  (model: string): Adapter => {
    const restored = (id: string | null, record: KeptRecord | null): AdapterPayload | undefined => {
      if (record === null) return undefined
      const isUsed = record.consumedAt !== null && !isInUse(model, record, now())
      return {
        ...record.payload,
        ...(id !== null && isSecretId(model) && { jti: id }),
        ...(isUsed && { consumed: Math.floor((record.consumedAt ?? 0) / 1000) }),
      }
    }

    const keepClient = (id: string, { expiresAt }: KeptRecord) =>
      expiresAt !== null && expiresAt - now() < CLIENT_SECONDS * 1000 - DAY
        ? records.renew(model, id, CLIENT_SECONDS)
        : Promise.resolve()

    return {
      upsert: async (id, given, expiresIn) => {
        const payload: Record<string, unknown> = { ...given }
        if (isSecretId(model)) delete payload.jti
        await records.save({
          model,
          id: storedId(model, id),
          payload: model === "Client" ? withoutScope(payload) : payload,
          subject: text(payload.accountId),
          grant: text(payload.grantId),
          uid: text(payload.uid),
          seconds: model === "Client" ? CLIENT_SECONDS : (expiresIn ?? null),
        })
      },
      find: async (id) => {
        const record = await records.find(model, storedId(model, id))
        if (model === "Client" && record !== null) await keepClient(id, record)
        return restored(id, record)
      },
      findByUid: async (uid) => restored(null, await records.findByUid(model, uid)),
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const stored = storedId(model, id)
        if (await records.consume(model, stored)) return
        const record = await records.find(model, stored)
        if (record !== null && isInUse(model, record, now())) return
        throw new errors.InvalidGrant("already used")
      },
      destroy: (id) =>
        model === "Grant" ? records.revokeGrant(id) : records.remove(model, storedId(model, id)),
      revokeByGrantId: (grant) => records.revokeGrant(grant),
    }
  }
