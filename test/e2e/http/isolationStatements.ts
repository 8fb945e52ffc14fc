import { assert, describe, it } from "@effect/vitest"
import { assertProblem, JOBS, listOf, makeJob, newAccount, operationsOf, type World } from "./asking.js"

const HOOKS = "/api/v1/webhooks"

/** What an operation needs beside the id, so that nothing but the id is wrong with it. */
const NEEDED: Readonly<Record<string, { readonly query?: string; readonly body?: unknown }>> = {
  [`PATCH ${JOBS}/{id}`]: { body: { title: "Mine" } },
  [`GET ${JOBS}/{id}/export`]: { query: "?format=txt" },
  [`POST ${JOBS}/{id}/export-link`]: { body: { format: "txt" } },
  [`GET ${JOBS}/{id}/search`]: { query: "?q=a" },
  [`PATCH ${HOOKS}/{id}`]: { body: { enabled: false } },
  [`POST ${HOOKS}/{id}/rotate-secret`]: { body: {} },
}

const collectionOf = (path: string): string => /^\/api\/v1\/(\w+)\//.exec(path)?.[1] ?? ""

const unlike = (id: string): string => id.replace(/[0-9a-z]$/, (last) => (last === "0" ? "1" : "0"))

/** What one account has is nothing to another. */
export const isolationStatements = (world: () => World) =>
  describe("accounts", () => {
    it("what is another account's does not exist, in the same words, wherever there is an id", async () => {
      const { call, web } = world()
      const eve = (await newAccount(world(), "eve@example.org")).call
      const transcription = await makeJob(world(), { url: `${web.base}/1.wav` })
      const feed = { feed: `${web.base}/feed.xml`, episodes: "latest" }
      const { body: batch } = await call("/api/v1/podcasts/transcribe", { body: feed })
      const { body: hook } = await call(HOOKS, { body: { url: `${web.base}/hook` } })
      const { body: sent } = await call(`${HOOKS}/${hook.id}/test`, { method: "POST" })
      const { body: keys } = await call("/api/v1/keys")
      const { body: purchase } = await call("/api/v1/credits/purchases", { body: { credits: 5 } })
      const ids: Readonly<Record<string, unknown>> = {
        transcriptions: transcription,
        batches: batch.batch_id,
        webhooks: hook.id,
        keys: listOf(keys.data)[0]?.id,
        credits: purchase.id,
      }
      const named = (await operationsOf(world())).filter(
        ({ path, isGuarded }) => isGuarded && path.includes("{"),
      )
      assert.isAbove(named.length, 18)
      for (const { method, path } of named) {
        const { query = "", body } = NEEDED[`${method} ${path}`] ?? {}
        const id = String(ids[collectionOf(path)])
        const plain = async (own: string, delivery: string) => {
          const address = path.replace("{id}", own).replace("{delivery}", delivery)
          const answer = await eve(`${address}${query}`, { method, body })
          assertProblem(answer, 404, "not_found")
          return answer.text.replace(String(answer.body.request_id), "")
        }
        const delivery = String(sent.id)
        assert.strictEqual(
          await plain(id, delivery),
          await plain(unlike(id), unlike(delivery)),
          `${method} ${path}`,
        )
      }
      const paged = await call(`${JOBS}?limit=1`)
      const cursor = String(paged.body.next_cursor)
      for (const theirs of [cursor, unlike(cursor), `${cursor}x`])
        assertProblem(await eve(`${JOBS}?cursor=${encodeURIComponent(theirs)}`), 400, "invalid_request")
      assertProblem(await call(`${HOOKS}?cursor=${encodeURIComponent(cursor)}`), 400, "invalid_request")
      const lists = [JOBS, `${JOBS}?batch_id=${batch.batch_id}`, HOOKS, "/api/v1/search?q=the"]
      for (const list of [...lists, "/api/v1/credits/purchases"])
        assert.deepStrictEqual((await eve(list)).body.data, [], list)
      assert.strictEqual((await call(`${JOBS}/${transcription}`)).status, 200)
      assert.strictEqual((await call(`${HOOKS}/${hook.id}`, { method: "DELETE" })).status, 204)
    })

    it("an upload of another account is unknown, and its addresses are good for nobody without their signature", async () => {
      const { call, server, web } = world()
      const eve = (await newAccount(world(), "eve.uploads@example.org")).call
      const upload = { filename: "a.wav", content_type: "audio/wav", bytes: 4 }
      const { body } = await call("/api/v1/uploads", { body: upload })
      assert.strictEqual(
        (
          await fetch(String(body.upload_url), {
            method: "PUT",
            body: "RIFF",
            headers: { "Content-Type": "audio/wav" },
          })
        ).status,
        200,
      )
      const theirs = await eve(JOBS, { body: { media_ref: body.media_ref } })
      const unknown = await eve(JOBS, {
        body: { media_ref: unlike(String(body.media_ref).replace(".wav", "")).concat(".wav") },
      })
      assertProblem(theirs, 422, "media_ref_unknown")
      assert.strictEqual(theirs.body.detail, unknown.body.detail)
      const id = await makeJob(world(), { url: `${web.base}/1.wav` })
      const { body: link } = await call(`${JOBS}/${id}/export-link`, { body: { format: "txt" } })
      const address = new URL(String(link.url))
      for (const [name, value] of [
        ["format", "json"],
        ["expires", "99999999999"],
        ["signature", ""],
      ] as const) {
        const changed = new URL(address)
        changed.searchParams.set(name, value)
        assertProblem(await call(changed.href, { key: null }), 403, "signature_invalid")
      }
      assert.strictEqual((await call(address.href, { key: null })).status, 200)
      assert.strictEqual(address.origin, server.baseUrl)
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
      assert.strictEqual((await call(`/api/v1/keys/${revoked.body.id}`, { method: "DELETE" })).status, 204)
      assertProblem(await call(JOBS, { key: narrow }), 401, "unauthorized")
      await new Promise((resolve) => setTimeout(resolve, 1600))
      assertProblem(await call(JOBS, { key: String(ends.body.key) }), 401, "unauthorized")
    })
  })
