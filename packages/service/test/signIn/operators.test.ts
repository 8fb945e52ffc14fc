import type { AccountId } from "@earmark/core/jobs"
import {
  Administration,
  Customers,
  Earmark,
  GRANT,
  OAuthRecords,
  operations,
  PaymentsManual,
  Secrets,
  ServiceConfig,
  StoreMemory,
} from "@earmark/service"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"

const ports = Layer.mergeAll(
  StoreMemory.layer,
  PaymentsManual.layer,
  Secrets.layerEphemeral,
  ServiceConfig.layer(),
)

const operators = Layer.merge(Earmark.administration, Customers.layer).pipe(Layer.provideMerge(ports))

const RESOURCE = "https://transcripts.example.org/api/mcp"

const letIn = (account: AccountId, id: string) =>
  Effect.gen(function* () {
    const records = yield* OAuthRecords
    const payload = { clientId: "c1", accountId: account, resources: { [RESOURCE]: "transcriptions:read" } }
    yield* records.save({ model: "Client", id: "c1", payload: { client_name: "An app" }, seconds: 100 })
    yield* records.save({ model: GRANT, id, payload, account, seconds: 100 })
    yield* records.save({ model: "AccessToken", id: `token of ${id}`, payload: {}, grant: id, seconds: 100 })
  })

const newAccount = Effect.flatMap(Customers, (customers) => customers.create({ name: "Ann" }))

layer(operators)("operators", (it) => {
  it.effect("see the apps that an account let in, and put one out with all its tokens", () =>
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const [{ id: account }, { id: other }] = [yield* newAccount, yield* newAccount]
      yield* letIn(account, "g1")
      yield* letIn(account, "g2")
      yield* letIn(other, "g3")
      const page = yield* Administration.ask(operations.listGrants, { account })
      assert.deepStrictEqual(page.data.map(({ id }) => id).sort(), ["g1", "g2"])
      assert.deepInclude(page.data[0], { client: "c1", name: "An app", scopes: ["transcriptions:read"] })
      const foreign = yield* Effect.flip(Administration.ask(operations.revokeGrant, { account, id: "g3" }))
      assert.strictEqual(foreign.code, "grant_not_found")
      yield* Administration.ask(operations.revokeGrant, { account, id: "g1" })
      assert.isNull(yield* records.find("AccessToken", "token of g1"))
      assert.isNotNull(yield* records.find("AccessToken", "token of g3"))
      const again = yield* Effect.flip(Administration.ask(operations.revokeGrant, { account, id: "g1" }))
      assert.strictEqual(again.code, "grant_not_found")
    }),
  )

  it.effect("rename an account", () =>
    Effect.gen(function* () {
      const { id: account } = yield* newAccount
      const ask = (given: typeof operations.renameAccount.request.Encoded) =>
        Administration.ask(operations.renameAccount, given)
      assert.strictEqual((yield* ask({ account, name: "Ann Marsh" })).name, "Ann Marsh")
      const refusal = yield* Effect.flip(ask({ account, name: " " }))
      assert.deepInclude(refusal, {
        code: "invalid_request",
        message: "name: Expected a text of 1 to 100 characters on one line.",
      })
    }),
  )

  it.effect("set the limits of a plan, one by one", () =>
    Effect.gen(function* () {
      const { id: account } = yield* newAccount
      const none = { maxMediaMinutes: null, maxUploadBytes: null, maxWaitingJobs: null }
      const set = (given: Omit<Parameters<typeof ask>[0], "account">) => ask({ account, ...given })
      const ask = (given: typeof operations.setLimits.request.Encoded) =>
        Administration.ask(operations.setLimits, given)
      assert.deepStrictEqual((yield* set({})).limits, none)
      const limited = { ...none, maxMediaMinutes: 60 }
      assert.deepStrictEqual((yield* set({ media_minutes: "60" })).limits, limited)
      const more = { ...limited, maxWaitingJobs: 3 }
      assert.deepStrictEqual((yield* set({ waiting_jobs: "3" })).limits, more)
      assert.deepStrictEqual((yield* set({ waiting_jobs: "none" })).limits, limited)
      for (const wrong of ["0", "-1", "1.5", "many", ""])
        assert.strictEqual((yield* Effect.flip(set({ upload_bytes: wrong }))).code, "invalid_request")
      const nobody = yield* Effect.flip(ask({ account: "acct_1" }))
      assert.strictEqual(nobody.code, "account_not_found")
    }),
  )

  it.effect("give somebody who signs in elsewhere one account, and take it again", () =>
    Effect.gen(function* () {
      const [{ id: account }, { id: other }] = [yield* newAccount, yield* newAccount]
      const who = { issuer: "https://id.example.org", subject: "42" }
      yield* Administration.ask(operations.linkAccount, { account, ...who })
      const taken = yield* Effect.flip(Administration.ask(operations.linkAccount, { account: other, ...who }))
      assert.strictEqual(taken.code, "already_linked")
      assert.isTrue((yield* Administration.ask(operations.unlinkAccount, who)).unlinked)
      assert.isFalse((yield* Administration.ask(operations.unlinkAccount, who)).unlinked)
      yield* Administration.ask(operations.linkAccount, { account: other, ...who })
      const wrong = yield* Effect.flip(
        Administration.ask(operations.linkAccount, { account, issuer: "id.example.org", subject: "1" }),
      )
      assert.strictEqual(wrong.code, "invalid_request")
    }),
  )
})
