import { assert, it } from "@effect/vitest"
import { JOBS, listOf, makeJob, type World } from "./asking.js"

/** Last of all: whatever was done before, nothing of it that is a secret, or that somebody said, is in the log. */
export const quietLog = (world: () => World) =>
  it("11: no key, no secret, no signed address and no word of a transcript is in the log, at the finest level", async () => {
    const { call, server, web } = world()
    const hook = await call("/api/v1/webhooks", { body: { url: `${web.base}/hook?fail=1` } })
    const rotated = await call(`/api/v1/webhooks/${hook.body.id}/rotate-secret`, { body: {} })
    const key = await call("/api/v1/keys", { body: { name: "quiet" } })
    const upload = { filename: "a.wav", content_type: "audio/wav", bytes: 4 }
    const begun = await call("/api/v1/uploads", { body: upload })
    await fetch(String(begun.body.upload_url), { method: "PUT", body: "RIFF" })
    const id = await makeJob(world(), { url: `${web.base}/30.wav?token=s3cr3t-of-the-source` })
    const link = await call(`${JOBS}/${id}/export-link`, { body: { format: "txt" } })
    await call(String(link.body.url), { key: null })
    await call("/api/v1/credits", {
      key: null,
      headers: { Authorization: "Bearer em_live_not-a-key-at-all" },
    })
    const { body } = await call(`${JOBS}/${id}`)
    const signatureOf = (url: unknown) => new URL(String(url)).searchParams.get("signature") ?? "missing"
    const secrets = {
      "the first key": server.key,
      "a key": String(key.body.key),
      "a wrong key": "not-a-key-at-all",
      "a webhook secret": String(hook.body.secret).slice(6),
      "a rotated secret": String(rotated.body.secret).slice(6),
      "an upload signature": signatureOf(begun.body.upload_url),
      "an export signature": signatureOf(link.body.url),
      "a token of a source": "s3cr3t-of-the-source",
      ...Object.fromEntries(
        listOf(body.segments).map(({ text }, index) => [`segment ${index}`, String(text).slice(0, 40)]),
      ),
    }
    const log = server.log()
    assert.isAbove(log.length, 1000)
    for (const [name, secret] of Object.entries(secrets)) {
      assert.isAbove(secret.length, 6, name)
      assert.isFalse(log.includes(secret), name)
    }
  })
