import { parseCidrList } from "@earmark/core/links"
import { FetcherNode, SourceResolverWeb, WebhookSenderHttp, YtDlp } from "@earmark/media"
import { SourceResolver, WebhookSender } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { rpc, withToken } from "../../packages/http/test/agents/app.js"
import { hostileAddresses } from "../../packages/media/test/fetch/hostileAddresses.js"
import { earmark } from "../e2e/earmark.js"
import { JOBS, listOf } from "../e2e/http/asking.js"
import { clientOf, ffmpegMissing, recording, until } from "../e2e/http/world.js"
import { because } from "../servers/because.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"
import { type Canary, startCanary } from "./canary.js"
import { escapeXml, feedOf, type Publisher, page, redirectTo, startPublisher } from "./publisher.js"

let server: EarmarkServer
let call: ReturnType<typeof clientOf>
let publisher: Publisher
let canary: Canary
let forms: ReadonlyArray<string>

// One loopback address may be reached; the others stand for the private network.
const ALLOWED = { EARMARK_EGRESS_ALLOW: "127.0.0.1/32" }

beforeAll(async () => {
  canary = await startCanary("127.0.0.2", "::1", "127.0.0.3")
  publisher = await startPublisher()
  publisher.pages.set("/good.wav", page("audio/wav", recording(1)))
  forms = [
    ...hostileAddresses(canary.port),
    `http://127.0.0.3:${canary.port}/a.mp3`,
    `http://127.0.0.2:${canary.port}/feed.xml`,
    `http://[::ffff:127.0.0.3]:${canary.port}/a.mp3`,
  ]
  server = await startEarmark({
    ...ALLOWED,
    EARMARK_BILLING: "off",
    EARMARK_WEBHOOK_HTTP: "on",
    EARMARK_WEBHOOK_TIMEOUT_SECONDS: "1",
  })
  call = clientOf(server)
}, 120_000)

afterAll(async () => {
  await server?.stop()
  publisher?.stop()
  assert.strictEqual(canary?.hits(), 0, "connections to what no customer may reach")
  canary?.stop()
}, 60_000)

const REFUSED = [
  "blocked_address",
  "invalid_request",
  "missing_source",
  "unresolvable_link",
  "source_not_supported",
]

const episodesOf = (address: string) => `/api/v1/podcasts/episodes?feed=${encodeURIComponent(address)}`

/** The doors that take an address, each with the request that hands it in. */
const DOORS: Readonly<
  Record<string, (address: string) => readonly [path: string, body?: Record<string, unknown>]>
> = {
  url: (url) => [JOBS, { url }],
  blob_url: (blob_url) => [JOBS, { blob_url }],
  "a quote": (url) => ["/api/v1/quotes", { url }],
  "the episodes of a feed": (feed) => [episodesOf(feed)],
  "a whole feed": (feed) => ["/api/v1/podcasts/transcribe", { feed }],
}

describe("an address of the private network", () => {
  it("is one of many forms", () => assert.isAbove(new Set(forms).size, 49))

  for (const [door, asking] of Object.entries(DOORS))
    it(`is refused as ${door}, directly and by redirect, and never asked`, async () => {
      const redirected = forms.filter((form) => !/^(?:|\/\/.*|http:127.*)$/.test(form))
      const all = [...forms, ...redirected.map((form) => redirectTo(publisher.base, form))]
      for (const address of all) {
        const [path, body] = asking(address)
        const answer = await call(path, body === undefined ? {} : { body })
        assert.include([400, 422], answer.status, `${address} ${answer.text}`)
        assert.include(REFUSED, answer.body.code, `${address} ${answer.text}`)
      }
      assert.strictEqual(canary.hits(), 0)
    })

  it("takes no webhook, and a redirect of a receiver is not followed", async () => {
    const outcome = async (id: unknown) => {
      const sent = await call(`/api/v1/webhooks/${id}/test`, { method: "POST" })
      const path = `/api/v1/webhooks/${id}/deliveries/${sent.body.id}`
      const ended = await until(
        () => call(path),
        ({ body }) => listOf(body.attempt_log).length > 0,
      )
      return listOf(ended.body.attempt_log)[0]?.error
    }
    for (const url of forms) {
      const answer = await call("/api/v1/webhooks", { body: { url } })
      assert.include([201, 400, 422], answer.status, `${url} ${answer.text}`)
      // What looks harmless is looked at again with each delivery.
      if (answer.status === 201) assert.isString(await outcome(answer.body.id), url)
    }
    const url = redirectTo(publisher.base, `http://127.0.0.2:${canary.port}/`)
    const { body: hook } = await call("/api/v1/webhooks", { body: { url } })
    assert.strictEqual(await outcome(hook.id), "redirect")
    assert.strictEqual(canary.hits(), 0)
  })

  it("takes no plain http webhook when these are off, whatever ranges are allowed", async () => {
    const off = await startEarmark({ ...ALLOWED, EARMARK_BILLING: "off", EARMARK_WEBHOOK_HTTP: "off" })
    try {
      const answer = await clientOf(off)("/api/v1/webhooks", { body: { url: publisher.base } })
      assert.deepEqual([answer.status, answer.body.code], [400, "invalid_request"], answer.text)
      assert.match(String(answer.body.detail), /https address/)
    } finally {
      await off.stop()
    }
  })

  it("is no source for an agent", async () => {
    const agent = { base: server.baseUrl, mcp: `${server.baseUrl}/api/mcp` }
    for (const url of forms) {
      const params = { name: "transcribe", arguments: { url } }
      const answer = await (await rpc(agent, withToken(server.key), "tools/call", params)).text()
      assert.notInclude(answer, "tr_", `${url} ${answer}`)
    }
    assert.strictEqual(canary.hits(), 0)
  })

  it("is not reached from the command line", async () => {
    const lines = forms.filter((form) => /^[a-z]+:/.test(form))
    const json = lines.map((url) => JSON.stringify({ source: url })).join("\n")
    const environment = { ...ALLOWED, EARMARK_ENGINE: "scripted", EARMARK_LIBRARY: "off" }
    const options = ["--from", "-", "--json", "--no-keep", "--dry-run"]
    const planned = await earmark(["transcribe", ...options], json, undefined, environment)
    assert.notStrictEqual(planned.code, 0)
    const [direct, moved] = [lines[0] ?? "", redirectTo(publisher.base, lines[0] ?? "")]
    for (const address of [direct, moved]) {
      const fed = await earmark(["feed", address], "", undefined, environment)
      assert.deepStrictEqual([fed.code, fed.stdout], [1, ""], fed.stderr)
    }
    assert.strictEqual(canary.hits(), 0)
  })
})

const item = (number: number, more: string) =>
  `<item><title>Episode ${number}</title><guid>g${number}</guid>${more}</item>`

/** Transcribes a feed, and answers its jobs when all have ended. */
const hear = async (path: string, feed: string) => {
  publisher.pages.set(path, page("application/rss+xml", feed))
  const request = { feed: `${publisher.base}${path}`, episodes: "all" }
  const batch = await call("/api/v1/podcasts/transcribe", { body: request })
  assert.strictEqual(batch.status, 202, batch.text)
  const jobs = `${JOBS}?limit=100&batch_id=${batch.body.batch_id}`
  const ended = await until(
    () => call(jobs),
    ({ body }) => listOf(body.data).every(({ status }) => status === "done" || status === "failed"),
  )
  return listOf(ended.body.data)
}

describe("a name that leads elsewhere the second time", () => {
  it("is asked once for a connection, which goes to what was checked, and refused when it turns", async () => {
    publisher.pages.set("/feed.xml", page("application/rss+xml", feedOf("")))
    const { port } = new URL(publisher.base)
    const lookups = new Map<string, number>()
    const resolve = async (name: string) => {
      const times = (lookups.get(name) ?? 0) + 1
      lookups.set(name, times)
      return times === 1 ? ["127.0.0.1"] : ["127.0.0.2"]
    }
    const allow = Either.getOrThrow(parseCidrList(ALLOWED.EARMARK_EGRESS_ALLOW))
    const door = FetcherNode.layer({ allow, resolve })
    const feeds = SourceResolverWeb.layer({ allow }).pipe(Layer.provide(Layer.merge(door, YtDlp.none)))
    const turning = Effect.gen(function* () {
      const resolver = yield* SourceResolver
      // The canary listens on the port of the second answer; the first answer is the publisher.
      yield* resolver.feed(`http://first.test:${port}/feed.xml`, 5)
      const again = yield* Effect.either(resolver.feed(`http://first.test:${canary.port}/feed.xml`, 5))
      assert.strictEqual(Either.isLeft(again) && again.left.code, "blocked_address")
    })
    await Effect.runPromise(turning.pipe(Effect.provide(feeds)))
    assert.strictEqual(lookups.get("first.test"), 2)
    await resolve("hook.test")
    const sent = Effect.flatMap(WebhookSender, (sender) =>
      sender.post(`http://hook.test:${canary.port}/`, { headers: {}, body: "{}", timeoutSeconds: 2 }),
    )
    const { error } = await Effect.runPromise(
      sent.pipe(Effect.provide(WebhookSenderHttp.layer({ allow, resolve }))),
    )
    assert.strictEqual(error, "blocked_address")
    assert.strictEqual(canary.hits(), 0)
  })
})

describe.skipIf(ffmpegMissing !== null)(`a publisher${because(ffmpegMissing)}`, () => {
  it("leads nobody inside by the enclosures of a feed", async () => {
    const items = forms
      .flatMap((form) => [form, redirectTo(publisher.base, form)])
      .map((address, index) => item(index, `<enclosure url="${escapeXml(address)}" type="audio/mpeg"/>`))
    for (let from = 0; from < items.length; from += 50) {
      const jobs = await hear(`/enclosures-${from}.xml`, feedOf(items.slice(from, from + 50).join("")))
      // Addresses that are the same one share a job, and what is no web address is no enclosure.
      assert.isAbove(jobs.length, 9)
      for (const { status, error } of jobs) assert.strictEqual(status, "failed", JSON.stringify(error))
    }
    assert.strictEqual(canary.hits(), 0)
  })

  it("leads nobody inside by transcripts, chapters, pictures, later pages and new addresses", async () => {
    const inside = forms.flatMap((form) => [form, redirectTo(publisher.base, form)]).map(escapeXml)
    const links = inside
      .map((url) => `<podcast:transcript url="${url}" type="text/vtt"/><podcast:chapters url="${url}"/>`)
      .join("")
    const audio = `<enclosure url="${publisher.base}/good.wav" type="audio/wav"/>`
    const [job] = await hear("/links.xml", feedOf(item(1, `${audio}${links}`)))
    assert.strictEqual(job?.status, "done", JSON.stringify(job))
    const [first = "", second = ""] = inside
    const channel = `<itunes:new-feed-url>${first}</itunes:new-feed-url><atom:link rel="next" href="${first}"/><atom:link rel="self" href="${second}"/><itunes:image href="${first}"/><atom:link rel="hub" href="${first}"/>`
    publisher.pages.set("/moved.xml", page("application/rss+xml", feedOf(item(1, audio), channel)))
    for (const asking of Object.values(DOORS)) {
      const [path, body] = asking(`${publisher.base}/moved.xml`)
      await call(path, body === undefined ? {} : { body })
    }
    await call(`${episodesOf(`${publisher.base}/moved.xml`)}&limit=100`)
    assert.strictEqual(canary.hits(), 0)
  })

  it("has no file and no address read by entities, stylesheets or definitions", async () => {
    const target = `http://127.0.0.2:${canary.port}/`
    const prologs = [
      `<!DOCTYPE rss [<!ENTITY x SYSTEM "${target}">]>`,
      `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>`,
      `<!DOCTYPE rss SYSTEM "${target}x.dtd">`,
      `<!DOCTYPE rss PUBLIC "-//a//b" "${target}x.dtd" [<!ENTITY % p SYSTEM "${target}"> %p;]>`,
      `<?xml-stylesheet type="text/xsl" href="${target}"?>`,
      `<!DOCTYPE rss [<!ENTITY x "${"y".repeat(1000)}">]>`,
    ]
    for (const [index, prolog] of prologs.entries()) {
      const xi = `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${target}"/>`
      const audio = `<enclosure url="${publisher.base}/good.wav" type="audio/wav"/>`
      const feed = feedOf(item(1, `${audio}<description>&x;${xi}</description>`), "", prolog)
      const named = feed.replace("Episode 1", "Episode &x;")
      publisher.pages.set(`/entities-${index}.xml`, page("application/rss+xml", named))
      const answer = await call(episodesOf(`${publisher.base}/entities-${index}.xml`))
      assert.include([200, 422], answer.status, answer.text)
      assert.notInclude(answer.text, "root:")
      assert.notInclude(answer.text, "yyyy")
    }
    assert.strictEqual(canary.hits(), 0)
  })

  it("leads nobody inside by what a page names", async () => {
    const target = `http://127.0.0.2:${canary.port}`
    const html = `<html><head><meta http-equiv="refresh" content="0;url=${target}/"><base href="${target}/"><link rel="alternate" type="application/rss+xml" href="${target}/feed.xml"><meta property="og:audio" content="${target}/a.mp3"><meta property="og:video" content="/a.mp4"><link rel="alternate" type="application/json+oembed" href="${target}/oembed"></head><body><audio src="a.mp3"></audio><iframe src="${target}/"></iframe><script type="application/ld+json">{"@type":"PodcastEpisode","associatedMedia":{"contentUrl":"${target}/b.mp3"}}</script></body></html>`
    publisher.pages.set("/page", page("text/html", html))
    for (const asking of Object.values(DOORS)) {
      const [path, body] = asking(`${publisher.base}/page`)
      const answer = await call(path, body === undefined ? {} : { body })
      if (answer.status < 300 && answer.body.id !== undefined) {
        const job = await call(`${JOBS}/${answer.body.id}?wait=30`)
        assert.strictEqual(job.body.status, "failed", job.text)
      }
    }
    assert.strictEqual(canary.hits(), 0)
  })

  it("has no playlist opened, whatever it calls it", async () => {
    const target = `http://127.0.0.2:${canary.port}/a.mp3`
    const lists: Readonly<Record<string, string>> = {
      hls: `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MAP:URI="${target}"\n#EXT-X-KEY:METHOD=AES-128,URI="${target}"\n#EXTINF:10,\n${target}\n#EXT-X-ENDLIST\n`,
      files: `#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n`,
      m3u: `${target}\n`,
      pls: `[playlist]\nFile1=${target}\nNumberOfEntries=1\n`,
      dash: `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
      concat: `ffconcat version 1.0\nfile ${target}\nfile /etc/passwd\n`,
      sdp: `v=0\no=- 0 0 IN IP4 127.0.0.2\ns=x\nc=IN IP4 127.0.0.2\nt=0 0\nm=audio ${canary.port} RTP/AVP 0\n`,
      xspf: `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>${target}</location></track></trackList></playlist>`,
      smil: `<smil><body><audio src="${target}"/></body></smil>`,
      asx: `<asx version="3.0"><entry><ref href="${target}"/></entry></asx>`,
      ram: `rtsp://127.0.0.2:${canary.port}/a.rm\n`,
      lavfi: "movie=/etc/passwd",
    }
    for (const [name, body] of Object.entries(lists))
      for (const [end, type] of [
        ["mp3", "audio/mpeg"],
        ["mp4", "video/mp4"],
        ["m3u8", "application/vnd.apple.mpegurl"],
      ] as const) {
        publisher.pages.set(`/${name}.${end}`, page(type, body))
        const answer = await call(JOBS, { body: { blob_url: `${publisher.base}/${name}.${end}` } })
        if (answer.status >= 300) continue
        const job = await call(`${JOBS}/${answer.body.id}?wait=30`)
        assert.strictEqual(job.body.status, "failed", `${name}.${end} ${job.text}`)
      }
    assert.strictEqual(canary.hits(), 0)
  })
})
