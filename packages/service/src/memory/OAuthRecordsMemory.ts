import { Effect, Either, Layer } from "effect"
import { GRANT, type NewOAuthRecord, type OAuthRecord, OAuthRecords } from "../ports/OAuthRecords.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import { pageOf } from "./pages.js"

const keyOf = (model: string, id: string): string => `${model} ${id}`

const isIn = (db: Transaction, { expiresAt }: OAuthRecord): boolean =>
  expiresAt === null || expiresAt > db.now

const find = (db: Transaction, model: string, id: string): OAuthRecord | null => {
  const record = db.oauthRecords.get(keyOf(model, id))
  return record !== undefined && isIn(db, record) ? record : null
}

const copied = (record: OAuthRecord): OAuthRecord => ({
  ...record,
  payload: structuredClone(record.payload),
})

const end = (db: Transaction, seconds: number | null): number | null =>
  seconds === null ? null : db.now + seconds * 1000

const isDropped = (db: Transaction, { grant }: NewOAuthRecord): boolean =>
  typeof grant === "string" && find(db, GRANT, grant) === null

const write = (db: Transaction, given: NewOAuthRecord, before: OAuthRecord | null): void => {
  const { seconds, account = null, grant = null, uid = null, ...record } = given
  const created = before?.createdAt ?? db.now
  const stored = { ...record, account, grant, uid, createdAt: created, expiresAt: end(db, seconds) }
  db.oauthRecords.set(
    keyOf(given.model, given.id),
    copied({ ...stored, consumedAt: before?.consumedAt ?? null }),
  )
}

const save = (db: Transaction, record: NewOAuthRecord): void => {
  if (!isDropped(db, record)) write(db, record, find(db, record.model, record.id))
}

const add = (db: Transaction, record: NewOAuthRecord): boolean => {
  if (isDropped(db, record) || find(db, record.model, record.id) !== null) return false
  write(db, record, null)
  return true
}

const consume = (db: Transaction, model: string, id: string): boolean => {
  const record = find(db, model, id)
  if (record === null || record.consumedAt !== null) return false
  db.oauthRecords.set(keyOf(model, id), { ...record, consumedAt: db.now })
  return true
}

const renew = (db: Transaction, model: string, id: string, seconds: number): void => {
  const record = find(db, model, id)
  if (record !== null) db.oauthRecords.set(keyOf(model, id), { ...record, expiresAt: end(db, seconds) })
}

const revokeGrant = (db: Transaction, grant: string): boolean => {
  const was = find(db, GRANT, grant) !== null
  db.oauthRecords.delete(keyOf(GRANT, grant))
  db.oauthRecords.deleteWhere((record) => record.grant === grant)
  return was
}

const sweep = (db: Transaction, limit: number): number => {
  const due = db.oauthRecords.filter((record) => !isIn(db, record)).slice(0, limit)
  for (const { model, id } of due) db.oauthRecords.delete(keyOf(model, id))
  return due.length
}

export const layer = Layer.effect(
  OAuthRecords,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase
    const done = <A>(body: (db: Transaction) => A) => transact((db) => Either.right(body(db)))
    const copyOf = (record: OAuthRecord | null) => (record === null ? null : copied(record))

    return OAuthRecords.of({
      save: (record) => done((db) => save(db, record)),
      add: (record) => done((db) => add(db, record)),
      find: (model, id) => done((db) => copyOf(find(db, model, id))),
      findByUid: (model, uid) =>
        done((db) => {
          const [found] = db.oauthRecords.filter(
            (record) => record.model === model && record.uid === uid && isIn(db, record),
          )
          return copyOf(found ?? null)
        }),
      list: (model, { account, ...page }) =>
        done((db) => {
          const all = db.oauthRecords.filter(
            (record) =>
              record.model === model && (account === null || record.account === account) && isIn(db, record),
          )
          const { items, next } = pageOf(all, page)
          return { items: items.map(copied), next }
        }),
      consume: (model, id) => done((db) => consume(db, model, id)),
      renew: (model, id, seconds) => done((db) => renew(db, model, id, seconds)),
      remove: (model, id) => done((db) => db.oauthRecords.delete(keyOf(model, id))),
      revokeGrant: (grant) => done((db) => revokeGrant(db, grant)),
      sweep: (limit) => done((db) => sweep(db, limit)),
    })
  }),
)
