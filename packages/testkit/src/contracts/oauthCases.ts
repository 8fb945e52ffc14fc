import { AccountId } from "@earmark/core/jobs"
import { AccountLinks, GRANT, type NewOAuthRecord, OAuthRecords } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, newAccount, newKeyId, now, unique } from "./makers.js"
import { racing, refusal } from "./working.js"

const TOKEN = "AccessToken"

const newRecord = (given: Partial<NewOAuthRecord> = {}) =>
  Effect.map(
    unique,
    (id): NewOAuthRecord => ({ model: TOKEN, id, payload: { kind: "token" }, seconds: 100, ...given }),
  )

const saved = (given: Partial<NewOAuthRecord> = {}) =>
  Effect.gen(function* () {
    const records = yield* OAuthRecords
    const record = yield* newRecord(given)
    yield* records.save(record)
    return record
  })

const payloadOf = ({ model, id }: Pick<NewOAuthRecord, "model" | "id">) =>
  Effect.gen(function* () {
    const records = yield* OAuthRecords
    return (yield* records.find(model, id))?.payload ?? null
  })

const newGrant = (account: AccountId, seconds = 100) => saved({ model: GRANT, account, seconds })

const sweepAll = Effect.gen(function* () {
  const records = yield* OAuthRecords
  while ((yield* records.sweep(500)) > 0);
})

export const oauthRecordCases: ReadonlyArray<StoreCase> = [
  promise(
    "a record is found as it was stored, by its model and id",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const account = yield* newAccount()
      const grant = yield* newGrant(account)
      const uid = yield* unique
      const payload = { a: [1, { b: null }], "é\u0001": "🎧", deep: { list: [true, "x"] } }
      const record = yield* saved({ account, grant: grant.id, uid, payload })
      const found = yield* records.find(TOKEN, record.id)
      const createdAt = yield* now
      const expected = { model: TOKEN, id: record.id, payload, account, grant: grant.id, uid }
      const times = { createdAt, expiresAt: createdAt + 100_000, consumedAt: null }
      assert.deepStrictEqual(found, { ...expected, ...times })
      assert.strictEqual(yield* records.find("RefreshToken", record.id), null)
      assert.strictEqual(yield* records.find(TOKEN, `${record.id}x`), null)
      assert.deepStrictEqual(yield* records.findByUid(TOKEN, uid), found)
      assert.strictEqual(yield* records.findByUid("Session", uid), null)
    }),
  ),
  promise(
    "what is kept is a copy, on the way in and on the way out",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const payload = { scopes: ["a"] }
      const record = yield* saved({ payload })
      payload.scopes.push("b")
      const found = yield* records.find(TOKEN, record.id)
      assert.deepStrictEqual(found?.payload, { scopes: ["a"] })
      const { scopes } = found?.payload ?? {}
      if (Array.isArray(scopes)) scopes.push("c")
      assert.deepStrictEqual(yield* payloadOf(record), { scopes: ["a"] })
    }),
  ),
  promise(
    "a record takes the place of the one before, and what was consumed stays consumed",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const record = yield* saved()
      assert.isTrue(yield* records.consume(TOKEN, record.id))
      yield* records.save({ ...record, payload: { kind: "other" } })
      assert.deepStrictEqual(yield* payloadOf(record), { kind: "other" })
      assert.isFalse(yield* records.consume(TOKEN, record.id))
    }),
  ),
  promise(
    "a record past its time is not there, for any method",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const account = yield* newAccount()
      const uid = yield* unique
      const record = yield* saved({ account, uid })
      yield* advance(100)
      assert.strictEqual(yield* records.find(TOKEN, record.id), null)
      assert.strictEqual(yield* records.findByUid(TOKEN, uid), null)
      assert.isFalse(yield* records.consume(TOKEN, record.id))
      yield* records.renew(TOKEN, record.id, 100)
      const { items } = yield* records.list(TOKEN, { account, limit: 10, after: null })
      assert.deepStrictEqual(items, [])
      assert.isTrue(yield* records.add(record))
      assert.strictEqual((yield* records.find(TOKEN, record.id))?.consumedAt, null)
    }),
  ),
  promise(
    "a record without an end stays; one that is renewed stays longer",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const [lasting, renewed] = [yield* saved({ seconds: null }), yield* saved()]
      yield* advance(99)
      yield* records.renew(TOKEN, renewed.id, 100)
      yield* advance(99)
      assert.isNotNull(yield* payloadOf(lasting))
      assert.isNotNull(yield* payloadOf(renewed))
      yield* advance(1)
      assert.isNull(yield* payloadOf(renewed))
    }),
  ),
  promise(
    "of racing uses exactly one is told that it is the one",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const record = yield* saved()
      const told = yield* racing(20, () => records.consume(TOKEN, record.id))
      assert.strictEqual(told.filter((isFirst) => isFirst).length, 1)
      assert.strictEqual((yield* records.find(TOKEN, record.id))?.consumedAt, yield* now)
      assert.isFalse(yield* records.consume(TOKEN, "nothing"))
    }),
  ),
  promise(
    "of racing additions exactly one is kept",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const record = yield* newRecord()
      const told = yield* racing(20, (index) => records.add({ ...record, payload: { index } }))
      assert.strictEqual(told.filter((isFirst) => isFirst).length, 1)
      assert.deepStrictEqual(yield* payloadOf(record), { index: told.indexOf(true) })
    }),
  ),
  promise(
    "a revoked grant goes with everything of it, and nothing else does",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const account = yield* newAccount()
      const [grant, other] = [yield* newGrant(account), yield* newGrant(account)]
      const gone = [
        yield* saved({ grant: grant.id }),
        yield* saved({ model: "RefreshToken", grant: grant.id }),
        yield* saved({ model: "AuthorizationCode", grant: grant.id }),
        grant,
      ]
      const kept = [yield* saved({ grant: other.id }), other, yield* saved()]
      assert.isTrue(yield* records.revokeGrant(grant.id))
      for (const record of gone) assert.isNull(yield* payloadOf(record))
      for (const record of kept) assert.isNotNull(yield* payloadOf(record))
      assert.isFalse(yield* records.revokeGrant(grant.id))
    }),
  ),
  promise(
    "nothing is stored for a grant that is not there, or not any more",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const account = yield* newAccount()
      const [revoked, ended] = [yield* newGrant(account), yield* newGrant(account, 10)]
      yield* records.revokeGrant(revoked.id)
      yield* advance(10)
      for (const grant of [revoked.id, ended.id, "never"]) {
        assert.isNull(yield* payloadOf(yield* saved({ grant })))
        assert.isFalse(yield* records.add(yield* newRecord({ grant })))
      }
    }),
  ),
  promise(
    "whatever is stored while its grant is revoked is gone afterwards",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const grant = yield* newGrant(yield* newAccount())
      const before = yield* saved({ grant: grant.id })
      const [stored] = yield* Effect.all(
        [racing(20, () => saved({ grant: grant.id })), records.revokeGrant(grant.id)],
        { concurrency: "unbounded" },
      )
      for (const record of [before, ...stored]) assert.isNull(yield* payloadOf(record))
    }),
  ),
  promise(
    "a list has the records of one model and one account, newest first, page by page",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const ids: Array<string> = []
      for (let count = 0; count < 3; count++) {
        ids.unshift((yield* newGrant(account)).id)
        yield* advance(1)
      }
      yield* newGrant(other)
      yield* saved({ account })
      const first = yield* records.list(GRANT, { account, limit: 2, after: null })
      const second = yield* records.list(GRANT, { account, limit: 2, after: first.next })
      assert.deepStrictEqual(
        [...first.items, ...second.items].map(({ id }) => id),
        ids,
      )
      assert.strictEqual(second.next, null)
      const all = yield* records.list(GRANT, { account: null, limit: 4, after: null })
      assert.isAbove(new Set(all.items.map((record) => record.account)).size, 1)
    }),
  ),
  promise(
    "a removed record is gone; a sweep forgets only what is past its time",
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const [removed, ended, kept, lasting] = [
        yield* saved(),
        yield* saved({ seconds: 10 }),
        yield* saved(),
        yield* saved({ seconds: null }),
      ]
      yield* records.remove(TOKEN, removed.id)
      assert.isNull(yield* payloadOf(removed))
      yield* advance(10)
      assert.isAtLeast(yield* records.sweep(1000), 1)
      yield* sweepAll
      assert.strictEqual(yield* records.sweep(1000), 0)
      assert.isNull(yield* payloadOf(ended))
      assert.isNotNull(yield* payloadOf(kept))
      assert.isNotNull(yield* payloadOf(lasting))
    }),
  ),
]

const newIdentity = Effect.map(unique, (subject) => ({ issuer: "https://id.example", subject }))

export const accountLinkCases: ReadonlyArray<StoreCase> = [
  promise(
    "somebody has the account that was linked first, whatever is tried later",
    Effect.gen(function* () {
      const links = yield* AccountLinks
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const identity = yield* newIdentity
      assert.isNull(yield* links.find(identity))
      assert.strictEqual(yield* links.link(identity, account), account)
      assert.strictEqual(yield* links.link(identity, other), account)
      assert.strictEqual(yield* links.find(identity), account)
    }),
  ),
  promise(
    "of racing links all are answered the one that holds",
    Effect.gen(function* () {
      const links = yield* AccountLinks
      const identity = yield* newIdentity
      const accounts = yield* racing(8, () => newAccount())
      const told = yield* Effect.forEach(accounts, (account) => links.link(identity, account), {
        concurrency: "unbounded",
      })
      assert.strictEqual(new Set(told).size, 1)
      assert.strictEqual(yield* links.find(identity), told[0])
    }),
  ),
  promise(
    "the same subject at another issuer is somebody else",
    Effect.gen(function* () {
      const links = yield* AccountLinks
      const identity = yield* newIdentity
      yield* links.link(identity, yield* newAccount())
      assert.isNull(yield* links.find({ ...identity, issuer: "https://other.example" }))
      assert.isNull(yield* links.find({ ...identity, subject: `${identity.subject} ` }))
    }),
  ),
  promise(
    "a link can be taken away, and made anew",
    Effect.gen(function* () {
      const links = yield* AccountLinks
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const identity = yield* newIdentity
      yield* links.link(identity, account)
      assert.isTrue(yield* links.unlink(identity))
      assert.isFalse(yield* links.unlink(identity))
      assert.isNull(yield* links.find(identity))
      assert.strictEqual(yield* links.link(identity, other), other)
    }),
  ),
  promise(
    "nobody is linked to an account that is not there",
    Effect.gen(function* () {
      const links = yield* AccountLinks
      const identity = yield* newIdentity
      const missing = AccountId.make((yield* newKeyId).replace("key_", "acct_"))
      assert.strictEqual(yield* refusal(links.link(identity, missing)), "AccountNotFound")
      assert.isNull(yield* links.find(identity))
    }),
  ),
]
