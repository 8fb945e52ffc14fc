import { createHmac } from "node:crypto"
import { verifyWebhook } from "@earmark/core/signing"
import { settingSections } from "@earmark/runtime"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { assertProblem, JOBS, listOf, makeJob, type World } from "./asking.js"
import { type Arrival, until } from "./world.js"

const HOOKS = "/api/v1/webhooks"

const seconds = () => Math.floor(Date.now() / 1000)

const arrivalsOf = ({ web }: World, path: string, id: string): ReadonlyArray<Arrival> =>
  web.arrivals.filter((one) => one.path === path && one.headers["service-event-id"] === id)

const headerOf = ({ headers }: Arrival, name: string): string => String(headers[name])

/** Parts 4.7 and 6, and the limits of 8 that belong to them. */
export const eventStatements = (world: () => World) =>
  describe("events", () => {
    it("4.7, 2.8, 3.4, 5.5, 6.1, 6.3, 6.4: `transcription.completed` is sent, signed, as a summary with the absolute address of the job", async () => {
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
      assert.isUndefined(arrival.headers.authorization)
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

    it("6.5, 6.6, 6.7, 6.8, 8.7: HMAC-SHA256 over `<t>`, a dot and the raw body, in hex; stale after 300 seconds", async () => {
      const { call, web } = world()
      const path = "/hook?by-hand"
      const { body: hook } = await call(HOOKS, { body: { url: `${web.base}${path}` } })
      const id = await makeJob(world(), { url: `${web.base}/23.wav` })
      const [arrival] = await until(
        () => arrivalsOf(world(), path, `${id}.done`),
        ({ length }) => length > 0,
      )
      if (arrival === undefined) return assert.fail("nothing came")
      const header = headerOf(arrival, "service-signature")
      const [t = "", v1 = ""] = header.split(",").map((part) => part.split("=")[1] ?? "")
      const signed = createHmac("sha256", String(hook.secret)).update(`${t}.`).update(arrival.raw)
      assert.strictEqual(v1, signed.digest("hex"))
      const verdict = (after: number) =>
        verifyWebhook({ raw: arrival.raw, header, secrets: [String(hook.secret)], now: Number(t) + after })
      assert.isTrue(Either.isRight(verdict(300)))
      assert.isTrue(Either.isLeft(verdict(301)))
      assert.strictEqual((await call(`${HOOKS}/${hook.id}`, { method: "DELETE" })).status, 204)
    })

    it("6.9, 8.5: the receiver answers within the time that is set, 10 seconds where none is", async () => {
      const { call, web } = world()
      const { body: hook } = await call(HOOKS, { body: { url: `${web.base}/hook?silent` } })
      await call(`${HOOKS}/${hook.id}/test`, { method: "POST" })
      const failed = await until(
        () => call(`${HOOKS}/${hook.id}/deliveries`),
        ({ body }) => listOf(body.data)[0]?.state === "failed",
      )
      const [delivery] = listOf(failed.body.data)
      const { body } = await call(`${HOOKS}/${hook.id}/deliveries/${delivery?.id}`)
      assert.deepInclude(listOf(body.attempt_log)[0], { status: null, error: "timeout" })
      assert.strictEqual((await call(`${HOOKS}/${hook.id}`, { method: "DELETE" })).status, 204)
      const limit = settingSections
        .flatMap(({ settings }) => settings)
        .find(({ name }) => name === "EARMARK_WEBHOOK_TIMEOUT_SECONDS")
      assert.strictEqual(limit?.otherwise, "10")
    })

    it("3.5, 6.2: `transcription.failed` is sent when a job reaches `failed`", async () => {
      const { call, web } = world()
      const { body } = await call(JOBS, { body: { url: `${web.base}/missing-too.mp3` } })
      const [arrival] = await until(
        () => arrivalsOf(world(), "/hook", `${body.id}.failed`),
        ({ length }) => length > 0,
      )
      assert.strictEqual(arrival?.headers["service-event-type"], "transcription.failed")
      const { type, data } = JSON.parse(arrival?.raw.toString("utf8") ?? "{}")
      assert.strictEqual(type, "transcription.failed")
      assert.deepInclude(data.transcription, { id: body.id, status: "failed" })
      assert.strictEqual(data.transcription.failure.code, "source_not_found")
    })

    it("6.10: A non-2xx answer is retried with backoff: the same id and bytes, a fresh signature", async () => {
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

    it("6.10, 8.6: up to 6 attempts", async () => {
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
  })
