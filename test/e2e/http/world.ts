import { spawnSync } from "node:child_process"
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http"
import type { AddressInfo } from "node:net"
import { writeWav } from "@earmark/core/audio"
import { conversation } from "@earmark/testkit"
import type { EarmarkServer } from "../../servers/earmarkServer.js"

/** Why media cannot be decoded here; null when they can. With `CI=true` a missing program is a failure. */
export const ffmpegMissing: string | null =
  spawnSync("ffmpeg", ["-version"]).status === 0 ? null : "ffmpeg is missing: install the package ffmpeg"

if (ffmpegMissing !== null) {
  if (process.env.CI === "true") throw new Error(ffmpegMissing)
  process.stderr.write(`Tests of jobs over HTTP are skipped. ${ffmpegMissing}\n`)
}

/** A few seconds of somebody who speaks; another seed, another recording. Forty turns are more than a minute. */
export const recording = (seed: number, turns = 2): Uint8Array => {
  const { samples } = conversation({ seed, speakers: 1, turns, seconds: [1.5, 2] })
  return writeWav(samples)
}

const item = (base: string, number: number) =>
  `<item><title>Episode ${number}</title><guid>guid-${number}</guid><pubDate>Mon, 0${number} Jan 2026 10:00:00 GMT</pubDate><enclosure url="${base}/${number}.wav" type="audio/wav"/></item>`

const rss = (items: string) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Show</title><language>en</language>${items}</channel></rss>`

const feed = (base: string) => rss([1, 2, 3].map((number) => item(base, number)).join(""))

/** Episodes that say how long they are: one with its text beside it, one that is longer than the plan of an account allows. */
const describedFeed = (base: string) =>
  rss(
    [
      item(base, 5).replace("</item>", "<itunes:duration>00:10:00</itunes:duration></item>"),
      item(base, 4).replace(
        "</item>",
        `<itunes:duration>36</itunes:duration><podcast:transcript url="${base}/written.vtt" type="text/vtt"/></item>`,
      ),
    ].join(""),
  )

const WRITTEN =
  "WEBVTT\n\n00:00.000 --> 00:17.000\n<v Ann>This was written by people, word for word.\n\n00:17.000 --> 00:36.000\n<v Ben>And it covers all of it, from the beginning to the end.\n"

/** A server of the LibreTranslate protocol that turns every line around. */
const translate = async (request: IncomingMessage, response: ServerResponse) => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(Buffer.from(part))
  const turned = (text: string) => text.split(" ").reverse().join(" ")
  const isQuestion = request.method === "GET"
  const { q = [] } = isQuestion ? {} : JSON.parse(Buffer.concat(parts).toString("utf8"))
  const known = [
    { code: "en", name: "English", targets: ["de", "en"] },
    { code: "de", name: "German", targets: ["de", "en"] },
  ]
  const answer = isQuestion ? known : { translatedText: Array.isArray(q) ? q.map(turned) : turned(q) }
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer))
}

/** A webhook as it arrived. */
export interface Arrival {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: Buffer
}

export interface Web {
  readonly base: string
  /** Webhooks that came to `/hook...`, in order. */
  readonly arrivals: ReadonlyArray<Arrival>
  readonly stop: () => void
}

/** Takes webhooks: `/hook?fail=2` answers 500 to the first two of an event, `/hook?silent` never answers. */
const takeHook = async (request: IncomingMessage, response: ServerResponse, arrivals: Array<Arrival>) => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(Buffer.from(part))
  const path = request.url ?? ""
  const id = request.headers["service-event-id"]
  const before = arrivals.filter((one) => one.path === path && one.headers["service-event-id"] === id).length
  arrivals.push({ path, headers: request.headers, raw: Buffer.concat(parts) })
  if (path.endsWith("?silent")) return
  const failures = Number(/fail=(\d+)/.exec(path)?.[1] ?? 0)
  response.writeHead(before < failures ? 500 : 200).end()
}

/** The login that everything below `/members/` needs. */
export const MEMBER = "ann:secret"

/**
 * A site with media (`/<number>.wav`), a feed of three of them (`/feed.xml`), both again for members only (`/members/`), a feed that says more
 * of its episodes (`/described.xml`), a receiver of webhooks (`/hook`), and a translator (`/libre`).
 */
export const startWeb = () =>
  new Promise<Web>((resolve) => {
    const arrivals: Array<Arrival> = []
    const recorded = new Map<string, Uint8Array>()
    const recordingAt = (number: string, isLong: boolean) => {
      const name = `${number} ${isLong}`
      const found = recorded.get(name) ?? recording(Number(number), isLong ? 40 : 2)
      recorded.set(name, found)
      return found
    }
    const server: Server = createServer((request, response) => {
      const isForMembers = request.url?.startsWith("/members/") === true
      const base = `http://${request.headers.host}${isForMembers ? "/members" : ""}`
      const url = isForMembers ? request.url?.slice("/members".length) : request.url
      const [, long, number] = /^\/(long\/)?(\d+)\.wav/.exec(url ?? "") ?? []
      const login = `Basic ${Buffer.from(MEMBER).toString("base64")}`
      if (isForMembers && request.headers.authorization !== login) response.writeHead(401).end()
      else if (number !== undefined) {
        const bytes = recordingAt(number, long !== undefined)
        response.writeHead(200, { "Content-Type": "audio/wav", "Content-Length": bytes.length }).end(bytes)
      } else if (url === "/feed.xml" || url === "/described.xml") {
        const text = url === "/feed.xml" ? feed(base) : describedFeed(base)
        response.writeHead(200, { "Content-Type": "application/rss+xml" }).end(text)
      } else if (request.url === "/written.vtt") {
        response.writeHead(200, { "Content-Type": "text/vtt" }).end(WRITTEN)
      } else if (request.url?.startsWith("/libre/")) void translate(request, response)
      else if (request.url?.startsWith("/hook")) void takeHook(request, response, arrivals)
      else response.writeHead(404).end()
    })
    server.listen(0, "127.0.0.1", () => {
      const address: AddressInfo | string | null = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({
        base: `http://127.0.0.1:${port}`,
        arrivals,
        stop: () => {
          server.closeAllConnections()
          server.close()
        },
      })
    })
  })

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Whatever it is, a test says what it must be.
  readonly body: Record<string, unknown>
  readonly text: string
}

interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string | null
}

const parsed = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Asks until the answer is what is waited for. */
export const until = async <A>(ask: () => A | Promise<A>, isThere: (found: A) => boolean): Promise<A> => {
  for (;;) {
    const found = await ask()
    if (isThere(found)) return found
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Speaks to a service as its first account, unless told otherwise. */
export const clientOf =
  (server: EarmarkServer) =>
  async (path: string, { method, body, headers = {}, key = server.key }: Sent = {}): Promise<Answer> => {
    const answer = await fetch(path.startsWith("http") ? path : `${server.baseUrl}${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: parsed(text), text }
  }
