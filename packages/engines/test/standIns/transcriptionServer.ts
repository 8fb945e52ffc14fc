/** A server that speaks the protocol of OpenAI's transcription endpoint, in each of the ways that servers are known to differ. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect } from "effect"

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly fields: Readonly<Record<string, ReadonlyArray<string>>>
  /** 16 bit samples of the file. */
  readonly samples: Int16Array
}

export type Answer = (request: Received, response: ServerResponse, turn: number) => void

const PART = /name="([^"]+)"(?:; filename="[^"]*")?/

const readForm = (body: Buffer, contentType: string): Pick<Received, "fields" | "samples"> => {
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1] ?? ""
  const fields: Record<string, Array<string>> = {}
  let samples = new Int16Array()
  const text = body.toString("latin1")
  for (const part of text.split(`--${boundary}`).slice(1, -1)) {
    const at = part.indexOf("\r\n\r\n")
    const name = PART.exec(part.slice(0, at))?.[1] ?? ""
    const content = part.slice(at + 4, -2)
    if (name === "file") {
      const bytes = Buffer.from(content, "latin1").subarray(44)
      samples = Int16Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readInt16LE(index * 2))
    } else {
      fields[name] = [...(fields[name] ?? []), content]
    }
  }
  return { fields, samples }
}

/** Starts a server for the scope; answers its address and what it was asked. */
export const transcriptionServer = (answer: Answer) =>
  Effect.gen(function* () {
    const requests: Array<Received> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const form = readForm(Buffer.concat(chunks), request.headers["content-type"] ?? "")
        const received = { path: request.url ?? "", headers: request.headers, ...form }
        requests.push(received)
        answer(received, response, requests.length - 1)
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          server.closeAllConnections()
          server.close(() => resume(Effect.void))
        }),
    )
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    return { url: `http://127.0.0.1:${port}/v1`, requests }
  })

export const sendJson = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}

/** A word for every half second, made of the sound: what the server "hears". */
export const wordsIn = (samples: Int16Array) =>
  Array.from({ length: Math.floor(samples.length / 8_000) }, (_, index) => {
    const heard = samples.subarray(index * 8_000, (index + 1) * 8_000)
    const sum = heard.reduce((total, value) => (total * 31 + value) % 1_000_003, 7)
    return { word: `w${Math.abs(sum).toString(36)}`, start: index / 2, end: index / 2 + 0.4 }
  })

/** As OpenAI answers: words at the top level, no probabilities, the language as an English name. */
export const likeOpenAi: Answer = ({ samples, fields }, response) => {
  const words = wordsIn(samples)
  const text = words.map(({ word }) => word).join(" ")
  if (fields.response_format?.[0] === "json") return sendJson(response, 200, { text })
  sendJson(response, 200, {
    task: "transcribe",
    language: fields.language?.[0] ?? "english",
    duration: samples.length / 16_000,
    text,
    words,
    segments: [{ id: 0, start: 0, end: samples.length / 16_000, text, avg_logprob: -0.2 }],
  })
}
