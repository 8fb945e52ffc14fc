import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { connect, rpc, withToken } from "../../packages/http/test/agents/app.js"
import {
  assertProblem,
  JOBS,
  listOf,
  makeJob,
  newAccount,
  operationsOf,
  type World,
} from "../e2e/http/asking.js"
import { clientOf, ffmpegMissing, startWeb, type Web } from "../e2e/http/world.js"
import { because } from "../servers/because.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"
import { type StoreForTests, storesForTests } from "../servers/stores.js"

const HOOKS = "/api/v1/webhooks"

/** What an operation needs beside the id, so that nothing but the id is wrong with it. */
const NEEDED: Readonly<Record<string, { readonly query?: string; readonly body?: unknown }>> = {
  [`PATCH ${JOBS}/{id}`]: { body: { title: "Mine" } },
  [`GET ${JOBS}/{id}/export`]: { query: "?format=txt" },
  [`POST ${JOBS}/{id}/export-link`]: { body: { format: "txt" } },
  [`GET ${JOBS}/{id}/search`]: { query: "?q=a" },
  [`POST ${JOBS}/{id}/ask`]: { body: { question: "a" } },
  [`POST ${JOBS}/{id}/edits`]: {
    body: { base_revision: 0, operations: [{ type: "speaker", line: 0, speaker: "Eve" }] },
  },
  "PATCH /api/v1/keys/{id}": { body: { name: "Mine" } },
  [`POST ${JOBS}/{id}/extras`]: { body: { summary: true } },
  [`PATCH ${HOOKS}/{id}`]: { body: { enabled: false } },
  [`POST ${HOOKS}/{id}/rotate-secret`]: { body: {} },
}

const collectionOf = (path: string): string => /^\/api\/v1\/(\w+)\//.exec(path)?.[1] ?? ""

const unlike = (id: string): string => id.replace(/[0-9a-z]$/, (last) => (last === "0" ? "1" : "0"))

for (const { name, missing, start } of storesForTests) {
  describe.skipIf(ffmpegMissing !== null || missing !== null)(
    `two accounts on ${name}${because(ffmpegMissing, missing)}`,
    () => {
      let store: StoreForTests | undefined
      let server: EarmarkServer
      let web: Web
      let eve: Awaited<ReturnType<typeof newAccount>>

      beforeAll(async () => {
        store = await start()
        web = await startWeb()
        server = await startEarmark(store.environment)
        eve = await newAccount({ server }, "eve@example.org")
      }, 120_000)

      afterAll(async () => {
        web?.stop()
        await server?.stop()
        await store?.stop()
      }, 60_000)

      const world = (): World => ({ server, web, call: clientOf(server), store: store?.environment ?? {} })

      it("what is another account's does not exist, in the same words, wherever there is an id", async () => {
        const { call, web } = world()
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
            const address = path
              .replace("{id}", own)
              .replace("{delivery}", delivery)
              .replace("{revision}", "1")
            const answer = await eve.call(`${address}${query}`, { method, body })
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
          assertProblem(
            await eve.call(`${JOBS}?cursor=${encodeURIComponent(theirs)}`),
            400,
            "invalid_request",
          )
        assertProblem(await call(`${HOOKS}?cursor=${encodeURIComponent(cursor)}`), 400, "invalid_request")
        const lists = [
          JOBS,
          `${JOBS}?batch_id=${batch.batch_id}`,
          HOOKS,
          "/api/v1/batches",
          "/api/v1/grants",
          "/api/v1/search?q=the",
        ]
        for (const list of [...lists, "/api/v1/credits/purchases"])
          assert.deepStrictEqual((await eve.call(list)).body.data, [], list)
        assert.strictEqual((await call(`${JOBS}/${transcription}`)).status, 200)
        assert.strictEqual((await call(`${HOOKS}/${hook.id}`, { method: "DELETE" })).status, 204)
      })

      it("the same Idempotency-Key is another one for another account, and repeats nobody's answer", async () => {
        const { call } = world()
        const once = { headers: { "Idempotency-Key": "shared" } }
        for (const [path, body] of [
          [JOBS, { url: `${web.base}/41.wav` }],
          ["/api/v1/webhooks", { url: `${web.base}/hook?shared` }],
          ["/api/v1/uploads", { filename: "a.wav", content_type: "audio/wav", bytes: 4 }],
          ["/api/v1/credits/purchases", { credits: 5 }],
        ] as const) {
          const key = { "Idempotency-Key": `shared ${path}`.replaceAll(/\W/g, "-") }
          const [mine, theirs] = [
            await call(path, { ...once, headers: key, body }),
            await eve.call(path, { ...once, headers: key, body }),
          ]
          assert.isBelow(theirs.status, 300, theirs.text)
          assert.isNull(theirs.headers.get("idempotent-replayed"), path)
          assert.notStrictEqual(theirs.body.id ?? theirs.body.media_ref, mine.body.id ?? mine.body.media_ref)
          // Another body under the key of the other account is no clash either.
          assert.notInclude(theirs.text, server.key)
        }
      })

      it("agents find nothing of the other account by tool, resource, cursor or session", async () => {
        const { call } = world()
        const id = await makeJob(world(), { url: `${web.base}/42.wav` })
        await makeJob(world(), { url: `${web.base}/43.wav` })
        const { body: feed } = await call("/api/v1/podcasts/transcribe", {
          body: { feed: `${web.base}/feed.xml`, episodes: "latest" },
        })
        const unknown = unlike(id)
        const agent = { base: server.baseUrl, mcp: `${server.baseUrl}/api/mcp` }
        const { access } = await connect(agent, eve.key)
        const tool = async (as: string, tool: string, args: object) =>
          (await rpc(agent, withToken(as), "tools/call", { name: tool, arguments: args })).text()
        for (const as of [eve.key, access]) {
          for (const [name, args] of Object.entries({
            get_transcription: {},
            search_transcript: { query: "the" },
            ask_transcript: { question: "the" },
            edit_transcript: { changes: [{ start: 0, speaker: "Eve" }] },
            export_transcript: { format: "txt" },
            make_extras: { summary: true },
            publish_transcript: {},
            cancel_transcription: {},
          })) {
            const [foreign, nobodys] = [
              await tool(as, name, { ...args, id }),
              await tool(as, name, { ...args, id: unknown }),
            ]
            assert.strictEqual(foreign.replaceAll(id, unknown), nobodys, name)
          }
          for (const part of ["", "/text", "/segments", "/summary", "/chapters", "/export/srt"]) {
            const read = async (which: string) =>
              (
                await rpc(agent, withToken(as), "resources/read", { uri: `transcription://${which}${part}` })
              ).text()
            assert.strictEqual((await read(id)).replaceAll(id, unknown), await read(unknown), part)
          }
          const listed = await (await rpc(agent, withToken(as), "resources/list", {})).text()
          assert.notInclude(listed, id)
          assert.notInclude(await tool(as, "list_transcriptions", { batch_id: String(feed.batch_id) }), "tr_")
        }
        const [page = ""] =
          /"next_cursor":"[^"]+"/.exec(await tool(server.key, "list_transcriptions", { limit: 1 })) ?? []
        const { next_cursor: cursor } = JSON.parse(`{${page}}`)
        assert.isString(cursor)
        const theirs = await tool(eve.key, "list_transcriptions", { limit: 1, cursor })
        assert.notInclude(theirs, "tr_", theirs)
      })
    },
  )
}
