import { assert, describe, it } from "@effect/vitest"
import { startEarmark } from "../../servers/earmarkServer.js"
import { earmark } from "../earmark.js"
import { assertProblem, JOBS, listOf, newAccount, operationsOf, type World } from "./asking.js"
import { clientOf } from "./world.js"

const PURCHASES = "/api/v1/credits/purchases"
const SOURCE = "http://127.0.0.1:1/nobody.mp3"

/** Parts 4 and 5 as far as keys go, 7, and the limits of 8 that belong to them. */
export const accountStatements = (world: () => World) =>
  describe("keys, credits and errors", () => {
    it("4: all REST paths are under /api/v1, and every call but the PUT of upload bytes carries the bearer header", async () => {
      const { call } = world()
      const asked = (await operationsOf(world())).filter(({ isGuarded }) => isGuarded)
      assert.isAbove(asked.length, 25)
      for (const [index, { method, path }] of asked.entries()) {
        assert.isTrue(path.startsWith("/api/v1/"), path)
        // From another address each: an address without a valid key is soon told to wait.
        const headers = { "X-Forwarded-For": `192.0.2.${index}` }
        const answer = await call(path.replaceAll(/\{\w+\}/g, "x"), { method, key: null, headers })
        assert.deepStrictEqual([path, answer.status, answer.body.code], [path, 401, "unauthorized"])
      }
    })

    it("5.1, 5.4, 7.1: a key is shown once and sent as `Authorization: Bearer`; a missing or invalid key gives 401", async () => {
      const { call, server } = world()
      const typo = `${server.key.slice(0, -1)}${server.key.endsWith("a") ? "b" : "a"}`
      const bodies = new Set<string>()
      for (const authorization of ["", "Bearer", "Bearer x", `Bearer ${typo}`, `Basic ${server.key}`]) {
        const answer = await call("/api/v1/credits", { key: null, headers: { Authorization: authorization } })
        assertProblem(answer, 401, "unauthorized")
        assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
        bodies.add(answer.text.replaceAll(String(answer.body.request_id), ""))
      }
      assert.strictEqual(bodies.size, 1)
      const inQuery = await call(`/api/v1/credits?api_key=${server.key}`, { key: null })
      assertProblem(inQuery, 401, "unauthorized")
      const made = await call("/api/v1/keys", { body: { name: "second" } })
      assert.strictEqual((await call("/api/v1/credits", { key: String(made.body.key) })).status, 200)
      const { body } = await call("/api/v1/keys")
      assert.isTrue(listOf(body.data).every((key) => key.key === undefined))
    })

    it("a key that is revoked, has ended or was made for tests is told apart from one that is good", async () => {
      const { call, web } = world()
      const test = await call("/api/v1/keys", { body: { name: "ends", expires_at: "2020-01-01T00:00:00Z" } })
      assertProblem(test, 400, "invalid_request")
      const soon = new Date(Date.now() + 1500).toISOString()
      const ends = await call("/api/v1/keys", { body: { name: "ends", expires_at: soon } })
      const revoked = await call("/api/v1/keys", {
        body: { name: "revoked", scopes: ["transcriptions:read"] },
      })
      const narrow = String(revoked.body.key)
      assert.strictEqual((await call(JOBS, { key: narrow })).status, 200)
      const made = await call(JOBS, { key: narrow, body: { url: `${web.base}/1.wav` } })
      assertProblem(made, 403, "insufficient_scope")
      const name = { method: "PATCH", body: { name: "renamed" } }
      const renamed = await call(`/api/v1/keys/${revoked.body.id}`, name)
      assert.deepStrictEqual([renamed.status, renamed.body.name], [200, "renamed"])
      assert.strictEqual((await call(`/api/v1/keys/${revoked.body.id}`, { method: "DELETE" })).status, 204)
      assertProblem(await call(JOBS, { key: narrow }), 401, "unauthorized")
      await new Promise((resolve) => setTimeout(resolve, 1600))
      assertProblem(await call(JOBS, { key: String(ends.body.key) }), 401, "unauthorized")
    })

    it("7.2: 402 out of credits, with what is there and what is needed", async () => {
      const { server, web } = world()
      const { id, call: poor } = await newAccount(world(), "poor@example.org")
      const { body } = await poor("/api/v1/quotes", { body: { url: `${web.base}/1.wav` } })
      assert.deepInclude(body, { cached: false })
      const budget = { feed: `${web.base}/feed.xml`, episodes: "latest", max_credits: 0 }
      const answer = await poor("/api/v1/podcasts/transcribe", { body: budget })
      assertProblem(answer, 402, "out_of_credits")
      assert.isNumber(answer.body.balance)
      assert.isNumber(answer.body.needed)
      assert.isString(answer.body.top_up_url)
      await server.administer("credits", "grant", "--account", id, "--minutes=-60")
      const refused = await poor(JOBS, { body: { url: `${web.base}/24.wav` } })
      assertProblem(refused, 402, "out_of_credits")
      assert.deepInclude(refused.body, { balance: 0, needed: 1 })
      const batch = await poor("/api/v1/podcasts/transcribe", { body: { feed: `${web.base}/feed.xml` } })
      assertProblem(batch, 402, "out_of_credits")
      assert.deepStrictEqual((await poor(JOBS)).body.data, [])
      // Nothing of a refusal is kept: after a top-up the same key of the request works.
      const once = { body: { url: `${web.base}/24.wav` }, headers: { "Idempotency-Key": "top-up" } }
      assertProblem(await poor(JOBS, once), 402, "out_of_credits")
      await server.administer("credits", "grant", "--account", id, "--minutes", "1")
      assert.strictEqual((await poor(JOBS, once)).status, 202)
    })

    it("every list with `limit`, `cursor` and `order` is in that order, page by page, and its cursors keep to it", async () => {
      const { server } = world()
      const { id, call } = await newAccount(world(), "orders@example.org")
      await server.administer("credits", "grant", "--account", id, "--minutes", "2")
      for (const name of ["b", "c"]) await call("/api/v1/keys", { body: { name } })
      const url = "https://hooks.example.org/in"
      for (const description of ["a", "b", "c"]) {
        await call("/api/v1/webhooks", { body: { url: `${url}/${description}`, description } })
      }
      const { body } = await call("/api/v1/webhooks?order=asc&limit=1")
      const [endpoint] = listOf(body.data)
      assert.strictEqual(endpoint?.description, "a")
      const hook = `/api/v1/webhooks/${endpoint?.id}`
      for (let count = 0; count < 3; count++) await call(`${hook}/test`, { method: "POST" })
      for (const credits of [1, 2, 3]) await call(PURCHASES, { body: { credits } })
      const entries = "/api/v1/credits/entries"
      const lists = ["/api/v1/keys", "/api/v1/webhooks", `${hook}/deliveries`, entries, PURCHASES]
      for (const list of lists) {
        const newestFirst = listOf((await call(`${list}?order=desc`)).body.data).map((each) => each.id)
        assert.isAtLeast(newestFirst.length, 2, list)
        const oldestFirst: Array<unknown> = []
        let cursor = ""
        do {
          const page = await call(`${list}?order=asc&limit=1${cursor}`)
          oldestFirst.push(...listOf(page.body.data).map((each) => each.id))
          const next = page.body.next_cursor
          cursor = next === null ? "" : `&cursor=${next}`
          if (next !== null) assertProblem(await call(`${list}?limit=1${cursor}`), 400, "invalid_request")
        } while (cursor !== "" && oldestFirst.length < 9)
        assert.deepStrictEqual(oldestFirst, newestFirst.reverse(), list)
      }
    })

    it("holds are taken newest first as far as they fit; the other jobs of a batch wait for credits", async () => {
      const { server, web } = world()
      const { id, call: poor } = await newAccount(world(), "one.credit@example.org")
      await Promise.all([
        server.administer("credits", "grant", "--account", id, "--minutes=-60"),
        server.administer("credits", "grant", "--account", id, "--minutes", "1", "--purchase"),
      ])
      const request = { feed: `${web.base}/feed.xml`, episodes: "all", vocabulary: ["hold"] }
      const { body } = await poor("/api/v1/podcasts/transcribe", { body: request })
      const waiting = await poor(`${JOBS}?phase=waiting_for_credits&batch_id=${body.batch_id}`)
      const jobs = listOf(waiting.body.data)
      const guids = jobs.map(({ source }) => Object(source).episode_guid)
      assert.deepStrictEqual(guids.sort(), ["guid-1", "guid-2"])
      // Whoever waits for a job that does not end is answered after so many seconds.
      const since = Date.now()
      const [still] = await Promise.all([
        poor(`${JOBS}/${jobs[0]?.id}?wait=1`),
        server.administer("accounts", "limits", id, "--waiting-jobs", "1"),
      ])
      assert.deepStrictEqual([still.status, still.body.status], [200, "queued"])
      assert.isAtLeast(Date.now() - since, 950)
      const batch = await poor(`/api/v1/batches/${body.batch_id}`)
      assert.deepInclude(batch.body, { total: 3, waiting_for_credits: 2, failed: 0 })
      const full = await poor(JOBS, { body: { url: `${web.base}/25.wav` } })
      assertProblem(full, 429, "too_many_jobs")
      assert.match(full.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      const more = await poor("/api/v1/podcasts/transcribe", { body: { ...request, vocabulary: ["more"] } })
      assertProblem(more, 429, "too_many_jobs")
      const canceled = await poor(`/api/v1/batches/${body.batch_id}/cancel`, { method: "POST" })
      assert.strictEqual(Number(canceled.body.canceled) + Number(canceled.body.already_ended), 3)
    })

    it("every creation happens once under its Idempotency-Key, quoted or not, which is no other route's", async () => {
      const { call, web } = world()
      const bodies = {
        "/api/v1/podcasts/transcribe": { feed: `${web.base}/feed.xml` },
        "/api/v1/uploads": { filename: "a.wav", content_type: "audio/wav", bytes: 4 },
        "/api/v1/webhooks": { url: `${web.base}/hook?once`, events: ["transcription.failed"] },
        [PURCHASES]: { credits: 5 },
      }
      for (const [path, body] of Object.entries(bodies)) {
        const first = await call(path, { body, headers: { "Idempotency-Key": path } })
        const again = await call(path, { body, headers: { "Idempotency-Key": `"${path}"` } })
        assert.deepStrictEqual([path, again.status, again.text], [path, first.status, first.text])
        assert.isNull(first.headers.get("idempotent-replayed"))
        assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
        const other = { body: { url: SOURCE }, headers: { "Idempotency-Key": path } }
        assertProblem(await call(JOBS, other), 422, "idempotency_key_reused")
      }
    })

    it("a purchase that nobody takes money for stands as it is until the operator confirms it, once", async () => {
      const { server } = world()
      const { id: account, call } = await newAccount(world(), "invoice@example.org")
      const [{ body: bought }, { body: other }] = [
        await call(PURCHASES, { body: { credits: 600 } }),
        await call(PURCHASES, { body: { credits: 5 } }),
      ]
      const id = String(bought.id)
      const standing = { id, credits: 600, price: null, checkout_url: null, created_at: bought.created_at }
      assert.deepStrictEqual((await call(`${PURCHASES}/${id}`)).body, { ...standing, state: "pending" })
      const told = async (...args: ReadonlyArray<string>) =>
        JSON.parse(await server.administer("credits", ...args, "--json"))
      const open = await told("purchases", "--open", "--account", account)
      assert.deepStrictEqual(
        listOf(open.data).map((each) => [each.id, each.account, each.provider]),
        [
          [other.id, account, "manual"],
          [id, account, "manual"],
        ],
      )
      const everybody = await told("purchases", "--open", "--limit", "100")
      assert.includeMembers(
        listOf(everybody.data).map((each) => each.id),
        [id, other.id],
      )
      const owner = { account, account_name: "invoice@example.org", account_email: "invoice@example.org" }
      const confirmed = { ...standing, state: "succeeded", ...owner, provider: "manual" }
      const both = await Promise.all([told("confirm", id), told("confirm", id)])
      assert.deepStrictEqual(both, [confirmed, confirmed])
      assert.deepInclude((await call("/api/v1/credits")).body, { balance: 660, is_paid: true })
      const { body } = await call(PURCHASES)
      assert.deepStrictEqual(
        listOf(body.data).map(({ state }) => state),
        ["pending", "succeeded"],
      )
      assert.deepStrictEqual(listOf(body.data)[1], { ...standing, state: "succeeded" })
      assert.match(await server.administer("credits", "verify"), /agrees/)
    })

    it("a purchase without a payment provider can be canceled by its account or the operator until it is paid", async () => {
      const { server, call: stranger } = world()
      const { id: account, call } = await newAccount(world(), "no-invoice@example.org")
      const orders: Array<string> = []
      for (const credits of [1, 2, 3])
        orders.push(String((await call(PURCHASES, { body: { credits } })).body.id))
      const [mine = "", theirs = "", paid = ""] = orders
      const cancel = (id: string, by = call) => by(`${PURCHASES}/${id}/cancel`, { method: "POST" })
      assertProblem(await cancel(mine, stranger), 404, "not_found")
      const canceled = await cancel(mine)
      assert.deepInclude(canceled.body, { id: mine, credits: 1, state: "canceled" })
      assert.deepStrictEqual((await cancel(mine)).body, canceled.body)
      const told = (...args: ReadonlyArray<string>) => server.administer("credits", ...args)
      assert.match(
        await told("dismiss", theirs),
        /^purchase +pur_\w+\naccount +acct_\w+\nminutes +2\nstate +canceled\n$/,
      )
      assert.deepInclude(JSON.parse(await told("dismiss", theirs, "--json")), { state: "canceled", account })
      await told("confirm", paid)
      const late = await cancel(paid)
      assertProblem(late, 409, "invalid_state")
      assert.strictEqual(late.body.detail, `The purchase ${paid} was paid, so it cannot be canceled`)
      for (const [command, id, refusal] of [
        [
          "confirm",
          mine,
          `The purchase ${mine} was canceled, so it cannot be confirmed. Begin another one. [purchase_canceled]`,
        ],
        ["dismiss", paid, `The purchase ${paid} was paid, so it cannot be canceled. [purchase_paid]`],
      ] as const) {
        const ran = await earmark(["credits", command, id], "", undefined, server.environment)
        assert.deepStrictEqual([ran.code, ran.stdout, ran.stderr], [1, "", `earmark: ${refusal}\n`])
      }
      const open = JSON.parse(await told("purchases", "--open", "--account", account, "--json"))
      assert.deepStrictEqual(open.data, [])
      assert.strictEqual((await call("/api/v1/credits")).body.balance, 63)
    })

    it("8.2: Free allowance on signup: 60 minutes", async () => {
      const entries = await world().call("/api/v1/credits/entries?limit=100")
      const signup = listOf(entries.body.data).find(({ kind }) => kind === "signup")
      assert.strictEqual(signup?.amount, 60)
    })

    it("7.3: 400 or 422: bad parameters, or a link that cannot be resolved", async () => {
      const { call, web } = world()
      assertProblem(
        await call(JOBS, { body: { url: SOURCE, speakers: { min: 3, max: 2 } } }),
        400,
        "invalid_request",
      )
      assertProblem(await call(JOBS, { body: { url: "not a link" } }), 400, "invalid_request")
      const nowhere = await call(JOBS, { body: { url: "http://name.that.nobody.knows.invalid/a.mp3" } })
      assertProblem(nowhere, 422, "unresolvable_link")
      assertProblem(await call(JOBS, { body: { url: "http://10.0.0.1/a.mp3" } }), 422, "blocked_address")
      assertProblem(await call(JOBS, { body: { media_ref: "uploads/a/b.wav" } }), 422, "media_ref_unknown")
      const feed = encodeURIComponent(`${web.base}/1.wav`)
      assertProblem(await call(`/api/v1/podcasts/episodes?feed=${feed}`), 422, "feed_invalid")
      const long = { feed: `${web.base}/feed.xml`, episodes: 0 }
      assertProblem(await call("/api/v1/podcasts/transcribe", { body: long }), 400, "invalid_request")
    })

    it("7.4: 429 when rate limited; the response carries a `Retry-After` header", async () => {
      const { server, store } = world()
      const isShared = store.EARMARK_DATABASE_URL !== undefined
      // On a server a second process counts in the same store; the embedded one belongs to one process.
      const limited = await startEarmark({
        ...store,
        ...(isShared && { EARMARK_ROLE: "api", EARMARK_DATA_DIR: server.environment.EARMARK_DATA_DIR ?? "" }),
        EARMARK_RATE_LIMIT_READS: "60/60s:3",
        EARMARK_RATE_LIMIT_FAILURES: "20/60s:20",
      })
      try {
        const ask = clientOf(limited)
        const answers = await Promise.all(Array.from({ length: 5 }, () => ask("/api/v1/credits")))
        const refused = answers.filter(({ status }) => status === 429)
        assert.strictEqual(refused.length, 2)
        for (const answer of refused) {
          assertProblem(answer, 429, "rate_limited")
          assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        }
        assert.match(answers[0]?.headers.get("ratelimit-policy") ?? "", /^"read";q=60;w=60$/)
        assert.isNotNull(answers[0]?.headers.get("ratelimit"))
      } finally {
        await limited.stop()
      }
    })
  })
