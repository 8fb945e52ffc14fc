// Needs SIGNING_SECRET of a registered endpoint, and a service to read from: SERVICE_URL and SERVICE_KEY.
// #region imports
import { createServer, type IncomingMessage } from "node:http"
import { EarmarkClient } from "@earmark/api/client"
import { receiveWebhook, SignatureInvalid, type WebhookEvent } from "@earmark/api/webhooks"

// #endregion

const secret = process.env.SIGNING_SECRET ?? ""
const earmark = new EarmarkClient({
  baseUrl: process.env.SERVICE_URL ?? "http://127.0.0.1:8787",
  apiKey: process.env.SERVICE_KEY ?? "",
})

// #region work
const work = async (event: WebhookEvent) => {
  if (event.type === "webhook.test") return console.log("test")
  const { id, failure } = event.data.transcription
  if (event.type === "transcription.failed") return console.log(`failed: ${failure?.code}`)
  const transcription = await earmark.transcriptions.get(id)
  if (transcription.status === "done") console.log(`done: ${transcription.title}`)
}
// #endregion

// #region receiver
const LARGEST = 1024 * 1024
// A program that runs more than once keeps these where all of them look.
const handled = new Set<string>()

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > LARGEST) throw new RangeError("too large")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const server = createServer(async (request, response) => {
  try {
    const body = await bodyOf(request)
    const signature = String(request.headers["service-signature"])
    const event = receiveWebhook({ body, signature, secret })
    // First the answer, within ten seconds; then the work. The same event may come again.
    response.writeHead(204).end()
    if (handled.has(event.id)) return console.log(`again: ${event.type}`)
    handled.add(event.id)
    await work(event)
  } catch (error) {
    if (!response.headersSent) response.writeHead(error instanceof SignatureInvalid ? 400 : 500).end()
    console.log(error instanceof SignatureInvalid ? `refused: ${error.reason}` : error)
  }
})
// #endregion

server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => console.log("listening"))
process.once("SIGTERM", () => server.close())
