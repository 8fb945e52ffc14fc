import { verifyWebhook } from "@earmark/core/signing"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { assertProblem, JOBS, listOf, makeJob, type World } from "./asking.js"
import { type Arrival, clientOf, until } from "./world.js"

const HOOKS = "/api/v1/webhooks"

const seconds = () => Math.floor(Date.now() / 1000)

const arrivalsOf = ({ web }: World, path: string, id: string): ReadonlyArray<Arrival> =>
  web.arrivals.filter((one) => one.path === path && one.headers["service-event-id"] === id)

const headerOf = ({ headers }: Arrival, name: string): string => String(headers[name])

/** Parts 4.7, 5, 6, 7 and the limits of 8 that belong to them. */
export const eventStatements = (world: () => World) =>
  describe("events, keys and errors", () => {
    it("4.7, 6: `transcription.completed` is sent, signed, as a summary with the absolute address of the job", async () => {
      const { call, server, web } = world()
      const { body: hook, status } = await call(HOOKS, { body: { url: `${web.base}/hook` } })
      assert.strictEqual(status, 201)
      const id = await makeJob(world(), { url: `${web.base}/20.wav` })
      const [arrival] = await until(
        () => arrivalsOf(world(), "/hook", `${id}.done`),
        ({ length }) => length > 0,
      )
      assert.isDefined(arrival)
      if (arrival === undefined) return
      assert.strictEqual(headerOf(arrival, "service-event-type"), "transcription.completed")
      const signature = headerOf(arrival, "service-signature")
      assert.match(signature, /^t=\d+,v1=[0-9a-f]{64}$/)
      const delivery = { raw: arrival.raw, header: signature, now: seconds() }
      assert.isTrue(Either.isRight(verifyWebhook({ ...delivery, secrets: [String(hook.secret)] })))
      assert.isTrue(Either.isLeft(verifyWebhook({ ...delivery, secrets: ["whsec_other"] })))
      const sent = JSON.parse(arrival.raw.toString("utf8"))
      assert.deepStrictEqual(Object.keys(sent).sort(), ["created", "data", "id", "type"])
      assert.deepInclude(sent, { id: `${id}.done`, type: "transcription.completed" })
      assert.isTrue(Number.isInteger(sent.created))
      const url = `${server.baseUrl}${JOBS}/${id}`
      assert.deepStrictEqual(sent.data.transcription, { id, status: "done", url })
    })

    it("6: `transcription.failed` is sent when a job reaches `failed`", async () => {
      const { call, web } = world()
      const { body } = await call(JOBS, { body: { url: `${web.base}/missing-too.mp3` } })
      const [arrival] = await until(
        () => arrivalsOf(world(), "/hook", `${body.id}.failed`),
        ({ length }) => length > 0,
      )
      assert.strictEqual(arrival?.headers["service-event-type"], "transcription.failed")
    })

    it("6: A non-2xx answer is retried with backoff: the same id and bytes, a fresh signature", async () => {
      const { call, web } = world()
      const path = "/hook?fail=2"
      const { body: hook } = await call(HOOKS, { body: { url: `${web.base}${path}` } })
      const id = await makeJob(world(), { url: `${web.base}/21.wav` })
      const arrivals = await until(
        () => arrivalsOf(world(), path, `${id}.done`),
        ({ length }) => length === 3,
      )
      assert.strictEqual(new Set(arrivals.map(({ raw }) => raw.toString("utf8"))).size, 1)
      const succeeded = await until(
        () => call(`${HOOKS}/${hook.id}/deliveries?status=succeeded`),
        ({ body }) => listOf(body.data).length > 0,
      )
      assert.strictEqual(listOf(succeeded.body.data)[0]?.attempts, 3)
    })

    it("6: up to 6 attempts", async () => {
      const { call, web } = world()
      const path = "/hook?fail=99"
      const { body: hook } = await call(HOOKS, { body: { url: `${web.base}${path}` } })
      const id = await makeJob(world(), { url: `${web.base}/22.wav` })
      const failed = await until(
        () => call(`${HOOKS}/${hook.id}/deliveries?status=failed`),
        ({ body }) => listOf(body.data).length > 0,
      )
      assert.strictEqual(listOf(failed.body.data)[0]?.attempts, 6)
      assert.lengthOf(arrivalsOf(world(), path, `${id}.done`), 6)
      assert.strictEqual((await call(`${HOOKS}/${hook.id}`, { method: "DELETE" })).status, 204)
    })

    it("webhooks do not go to private addresses, and a name that leads to one is refused at every send", async () => {
      const { call } = world()
      for (const url of ["https://10.0.0.1/", "https://169.254.169.254/", "https://[::ffff:10.0.0.1]/"])
        assertProblem(await call(HOOKS, { body: { url } }), 422, "blocked_address")
      for (const url of ["ftp://example.com/", "https://user:secret@example.com/", "http://example.com/"])
        assertProblem(await call(HOOKS, { body: { url } }), 400, "invalid_request")
    })

    it("5.1: a key is shown once and sent as `Authorization: Bearer`; 5.4: a missing or invalid key gives 401", async () => {
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

    it("7: 402 out of credits, with what is there and what is needed", async () => {
      const { server, web } = world()
      const email = ["--email", "poor@example.org", "--json"]
      const { id } = JSON.parse(await server.administer("accounts", "create", ...email))
      const made = JSON.parse(await server.administer("keys", "create", "--account", id, "--json"))
      const poor = clientOf({ ...server, key: made.key })
      const { body } = await poor("/api/v1/quotes", { body: { url: `${web.base}/1.wav` } })
      assert.deepInclude(body, { cached: false })
      const budget = { feed: `${web.base}/feed.xml`, episodes: "latest", max_credits: 0 }
      const answer = await poor("/api/v1/podcasts/transcribe", { body: budget })
      assertProblem(answer, 402, "out_of_credits")
      assert.isNumber(answer.body.balance)
      assert.isNumber(answer.body.needed)
      assert.isString(answer.body.top_up_url)
    })

    it("8: Free allowance on signup: 60 minutes", async () => {
      const entries = await world().call("/api/v1/credits/entries?limit=100")
      const signup = listOf(entries.body.data).find(({ kind }) => kind === "signup")
      assert.strictEqual(signup?.amount, 60)
    })

    it("what is another account's does not exist, in the same words", async () => {
      const { call, server, web } = world()
      const email = ["--email", "eve@example.org", "--json"]
      const other = JSON.parse(await server.administer("accounts", "create", ...email))
      const made = JSON.parse(await server.administer("keys", "create", "--account", other.id, "--json"))
      const eve = clientOf({ ...server, key: made.key })
      const id = await makeJob(world(), { url: `${web.base}/1.wav` })
      const { body: hooks } = await call(HOOKS)
      const hook = String(listOf(hooks.data)[0]?.id)
      const { body: keys } = await call("/api/v1/keys")
      const key = String(listOf(keys.data)[0]?.id)
      const asked: ReadonlyArray<readonly [string, string, string, unknown?]> = [
        ["GET", `${JOBS}/*`, id],
        ["PATCH", `${JOBS}/*`, id, { title: "Mine" }],
        ["DELETE", `${JOBS}/*`, id],
        ["POST", `${JOBS}/*/cancel`, id],
        ["POST", `${JOBS}/*/retry`, id],
        ["GET", `${JOBS}/*/export?format=txt`, id],
        ["POST", `${JOBS}/*/export-link`, id, { format: "txt" }],
        ["GET", `${JOBS}/*/search?q=a`, id],
        ["GET", `${HOOKS}/*`, hook],
        ["PATCH", `${HOOKS}/*`, hook, { enabled: false }],
        ["DELETE", `${HOOKS}/*`, hook],
        ["POST", `${HOOKS}/*/test`, hook],
        ["POST", `${HOOKS}/*/rotate-secret`, hook, {}],
        ["GET", `${HOOKS}/*/deliveries`, hook],
        ["DELETE", "/api/v1/keys/*", key],
      ]
      for (const [method, path, foreign, body] of asked) {
        const plain = async (name: string) => {
          const answer = await eve(path.replace("*", name), { method, body })
          assertProblem(answer, 404, "not_found")
          return answer.text.replace(String(answer.body.request_id), "")
        }
        const unknown = foreign.replace(/[0-9a-z]$/, (last) => (last === "0" ? "1" : "0"))
        assert.strictEqual(await plain(foreign), await plain(unknown), `${method} ${path}`)
      }
      assert.deepStrictEqual((await eve(JOBS)).body.data, [])
      assert.strictEqual((await call(`${JOBS}/${id}`)).status, 200)
    })
  })
