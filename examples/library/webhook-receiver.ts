import { createServer } from "node:http"
import { signWebhook, verifyWebhook } from "@earmark/core/signing"
import { Either } from "effect"

const secret = process.env.SIGNING_SECRET ?? "whsec_bm90IGEgcmVhbCBzZWNyZXQ="

// #region receiver
const server = createServer(async (request, response) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const raw = Buffer.concat(chunks)
  const verdict = verifyWebhook({
    raw,
    header: String(request.headers["service-signature"]),
    secrets: [secret],
    now: Math.floor(Date.now() / 1000),
  })
  if (Either.isLeft(verdict)) {
    response.writeHead(400).end(verdict.left.reason)
    return
  }
  const event = JSON.parse(raw.toString())
  console.log(`${event.type} ${event.id}`)
  response.writeHead(204).end()
})
// #endregion

await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const address = server.address()
const port = typeof address === "object" ? address?.port : undefined

const deliver = async (body: string, header: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: "POST",
    headers: { "service-signature": header },
    body,
  })
  console.log(answer.status, await answer.text())
}

// #region sender
const body = JSON.stringify({ id: "evt_1", type: "transcription.completed" })
const timestamp = Math.floor(Date.now() / 1000)
const header = signWebhook({ secrets: [secret], body, timestamp })
await deliver(body, header)
await deliver(body.replace("evt_1", "evt_2"), header)
// #endregion

await deliver(body, signWebhook({ secrets: [secret], body, timestamp: timestamp - 600 }))
await deliver(body, "none")
server.close()
