import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { connect, post, rpc, withToken } from "../../packages/http/test/agents/app.js"
import { earmark } from "../e2e/earmark.js"
import { JOBS, listOf, makeJob } from "../e2e/http/asking.js"
import { clientOf, ffmpegMissing, startWeb, type Web } from "../e2e/http/world.js"
import { makeWorlds } from "../e2e/worlds.js"
import { because } from "../servers/because.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"

const { world: newWorld, close } = makeWorlds("secrets")

/** Settings that are secrets, each of them wrong enough to be complained about. */
const SETTINGS = {
  EARMARK_SECRETS_KEY: Buffer.alloc(32, "deployment-secret-key").toString("base64"),
  EARMARK_METRICS_KEY: "metrics-key-of-the-operator",
  EARMARK_TRANSLATE_KEY: "translate-key-of-the-operator",
  EARMARK_LLM_KEY: "llm-key-of-the-operator",
  EARMARK_STRIPE_KEY: "sk_test_key-of-the-operator",
  EARMARK_STRIPE_WEBHOOK_SECRET: "whsec_stripe-secret-of-the-operator",
}

let server: EarmarkServer
let web: Web
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  web = await startWeb()
  server = await startEarmark({
    ...SETTINGS,
    EARMARK_LOG_LEVEL: "debug",
    EARMARK_WEBHOOK_TIMEOUT_SECONDS: "1",
    // Nothing answers there: what is said of that is in the log as well.
    EARMARK_TRANSLATE_URL: "http://user:translator-login@127.0.0.1:1/libre",
    EARMARK_LLM_URL: "http://127.0.0.1:1/v1?key=llm-query-secret",
    EARMARK_STRIPE_URL: "http://127.0.0.1:1",
    EARMARK_STRIPE_PRICE: "10",
    EARMARK_STRIPE_CURRENCY: "eur",
    EARMARK_STRIPE_SUCCESS_URL: "https://a.example/paid",
    EARMARK_STRIPE_CANCEL_URL: "https://a.example/not-paid",
  })
  call = clientOf(server)
}, 120_000)

afterAll(async () => {
  web?.stop()
  await server?.stop()
  close()
}, 60_000)

const signatureOf = (url: unknown) => new URL(String(url)).searchParams.get("signature") ?? ""

const assertSilent = (log: string, secrets: Readonly<Record<string, string>>) => {
  for (const [name, secret] of Object.entries(secrets)) {
    assert.isAbove(secret.length, 6, name)
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")])
      assert.isFalse(log.includes(form), name)
  }
}

describe.skipIf(ffmpegMissing !== null)(`the log at its finest level${because(ffmpegMissing)}`, () => {
  it("has no secret of a customer, an agent, a publisher or the operator in it", async () => {
    const hook = await call("/api/v1/webhooks", {
      body: { url: `${web.base}/hook?silent&token=hook-address-secret` },
    })
    const rotated = await call(`/api/v1/webhooks/${hook.body.id}/rotate-secret`, { body: {} })
    await call(`/api/v1/webhooks/${hook.body.id}/test`, { method: "POST" })
    const made = await call("/api/v1/keys", { body: { name: "second" } })
    const upload = { filename: "a.wav", content_type: "audio/wav", bytes: 4 }
    const begun = await call("/api/v1/uploads", { body: upload })
    for (const content of ["RIF", "RIFF", "RIFF"])
      await fetch(String(begun.body.upload_url), {
        method: "PUT",
        body: content,
        headers: { "Content-Type": "audio/wav" },
      })
    const page = new URL(String(begun.body.upload_page))
    await fetch(page)
    await call(JOBS, { body: { media_ref: begun.body.media_ref } })
    // What somebody asks for with a secret in its address: media, a feed with a login, a blob that is signed, a receiver.
    const id = await makeJob(
      { server, web, call, store: {} },
      { url: `${web.base}/30.wav?token=source-address-secret`, translate_to: "de", summary: true },
    )
    const login = web.base.replace("http://", "http://ann:feed-login-secret@")
    for (const body of [
      { url: `${login}/feed.xml` },
      { url: `${login}/nothing-there.mp3` },
      { blob_url: `${web.base}/31.wav?X-Amz-Signature=blob-signature-secret` },
      { blob_url: `http://127.0.0.9/31.wav?sig=blocked-blob-secret` },
      { url: `http://127.0.0.1:1/a.mp3?token=refused-address-secret` },
      { url: `http://no.such.name.invalid/a.mp3?token=unknown-name-secret` },
    ])
      await call(JOBS, { body })
    await call(`/api/v1/podcasts/episodes?feed=${encodeURIComponent(`${login}/feed.xml`)}`)
    const link = await call(`${JOBS}/${id}/export-link`, { body: { format: "txt" } })
    await call(String(link.body.url), { key: null })
    await call(`${String(link.body.url)}&x=1`, { key: null })
    // Keys that are wrong, in every place where somebody puts one.
    const wrong = "em_live_wrong-key-that-somebody-sent"
    await call("/api/v1/credits", { key: wrong })
    await call(`/api/v1/credits?api_key=${wrong}`, { key: null })
    await call(`/${wrong}`, { key: null })
    await call("/api/v1/credits", { key: null, headers: { "X-Api-Key": wrong, Cookie: `key=${wrong}` } })
    await call("/api/v1/credits", { key: null, headers: { Authorization: `Basic ${wrong}` } })
    await call(JOBS, { body: { [wrong]: 1 } })
    await call("/api/v1/credits/purchases", { body: { credits: 5 } })
    await call("/api/v1/payments/stripe/notices", {
      key: null,
      body: { id: "x" },
      headers: { "Stripe-Signature": "t=1,v1=payment-notice-secret" },
    })
    await call("/metrics", { key: SETTINGS.EARMARK_METRICS_KEY })
    // An agent comes in, refreshes, is revoked and comes again.
    const agent = { base: server.baseUrl, mcp: `${server.baseUrl}/api/mcp` }
    const tokens = await connect(agent, server.key)
    await rpc(agent, withToken(tokens.access), "tools/call", { name: "get_transcription", arguments: { id } })
    const fields = { grant_type: "refresh_token", client_id: tokens.client, refresh_token: tokens.refresh }
    const fresh = await post(agent, "/oauth/token", fields)
    await rpc(agent, withToken(`${tokens.access}x`))
    const { body } = await call(`${JOBS}/${id}`)
    const sentences = listOf(body.segments).map(({ text }) => String(text))
    assert.isAbove(sentences.length, 0)
    await earmark(["credits", "verify"], "", undefined, server.environment)
    const log = server.log()
    assert.isAbove(log.split("\n").length, 30)
    assertSilent(log, {
      ...SETTINGS,
      "the first key": server.key,
      "a key": String(made.body.key),
      "a wrong key": wrong,
      "a webhook secret": String(hook.body.secret).slice(6),
      "a rotated secret": String(rotated.body.secret).slice(6),
      "an upload signature": signatureOf(begun.body.upload_url),
      "an upload page": signatureOf(page),
      "an export signature": signatureOf(link.body.url),
      "an access token": tokens.access,
      "a refresh token": tokens.refresh,
      "a fresh token": String(fresh.body.access_token),
      "a login of the operator": "translator-login",
      "a query of the operator": "llm-query-secret",
      "a payment notice": "payment-notice-secret",
      ...Object.fromEntries(
        ["hook-address", "source-address", "feed-login", "blob-signature", "blocked-blob"]
          .concat(["refused-address", "unknown-name"])
          .map((name) => [name, `${name}-secret`]),
      ),
      ...Object.fromEntries(sentences.map((text, index) => [`sentence ${index}`, text.slice(0, 40)])),
    })
  })

  it("nor has what the command line tells", async () => {
    const { run, command } = newWorld({ EARMARK_LOG_LEVEL: "debug", ...SETTINGS })
    const login = web.base.replace("http://", "http://ann:feed-login-secret@")
    let told = ""
    for (const ran of [
      await run(`${login}/feed.xml`, "--verbose", "-o", "out/"),
      await run(`${web.base}/30.wav?token=source-address-secret`, "--verbose", "-o", "out/"),
      await run(`${web.base}/gone.wav?token=source-address-secret`, "--verbose", "-o", "out/"),
      await command("feed", `${login}/nothing`),
      await command("jobs", "list", "--server", "http://127.0.0.1:1"),
    ])
      told += ran.stderr
    assert.isAbove(told.length, 100)
    assertSilent(told, { ...SETTINGS, login: "feed-login-secret" })
  })
})
