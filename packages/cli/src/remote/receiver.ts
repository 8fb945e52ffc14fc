/** A small server that takes the deliveries of one endpoint, and answers those that are genuine. */
import { createServer, type IncomingMessage, type Server } from "node:http"
import { receiveWebhook, type WebhookEvent } from "@earmark/api/webhooks"

const MOST_BYTES = 10_000_000

const bodyOf = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export interface Receiving {
  /** Known once the endpoint is registered. */
  readonly secret: () => string | undefined
  readonly onEvent: (event: WebhookEvent, body: string) => void
  readonly onRefused: (why: string) => void
}

const answerTo = async (request: IncomingMessage, { secret, onEvent, onRefused }: Receiving) => {
  const body = await bodyOf(request)
  const known = secret()
  if (request.method !== "POST" || body === undefined || known === undefined) return 400
  const signature = request.headers["service-signature"]
  try {
    const event = receiveWebhook({
      body,
      signature: typeof signature === "string" ? signature : null,
      secret: known,
    })
    onEvent(event, body.toString("utf8"))
    return 200
  } catch (error) {
    onRefused(error instanceof Error ? error.message : String(error))
    return 400
  }
}

export const receiver = (receiving: Receiving): Server =>
  createServer((request, response) => {
    answerTo(request, receiving).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    )
  })

/** The port that it listens on. */
export const listening = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen({ host: "127.0.0.1", port }, () => {
      const address = server.address()
      resolve(address !== null && typeof address === "object" ? address.port : port)
    })
  })
