import { spawnSync } from "node:child_process"
import { createServer, type Server } from "node:http"
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

/** A few seconds of somebody who speaks; another seed, another recording. */
export const recording = (seed: number): Uint8Array => {
  const { samples } = conversation({ seed, speakers: 1, turns: 2, seconds: [1.5, 2] })
  return writeWav(samples)
}

const item = (base: string, number: number) =>
  `<item><title>Episode ${number}</title><guid>guid-${number}</guid><pubDate>Mon, 0${number} Jan 2026 10:00:00 GMT</pubDate><enclosure url="${base}/${number}.wav" type="audio/wav"/></item>`

const feed = (base: string) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Show</title>${[1, 2, 3].map((number) => item(base, number)).join("")}</channel></rss>`

export interface Web {
  readonly base: string
  readonly stop: () => void
}

/** A site with media (`/<number>.wav`) and a feed of three of them (`/feed.xml`). */
export const startWeb = () =>
  new Promise<Web>((resolve) => {
    const server: Server = createServer((request, response) => {
      const number = /^\/(\d+)\.wav/.exec(request.url ?? "")?.[1]
      const base = `http://${request.headers.host}`
      if (number !== undefined)
        response.writeHead(200, { "Content-Type": "audio/wav" }).end(recording(Number(number)))
      else if (request.url === "/feed.xml") {
        response.writeHead(200, { "Content-Type": "application/rss+xml" }).end(feed(base))
      } else response.writeHead(404).end()
    })
    server.listen(0, "127.0.0.1", () => {
      const address: AddressInfo | string | null = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({
        base: `http://127.0.0.1:${port}`,
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
