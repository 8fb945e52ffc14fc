import { createServer } from "node:http"
import { verifyWebhook } from "@earmark/core/signing"
import { Either } from "effect"

const secrets = [process.env.SIGNING_SECRET ?? "whsec_example"]

/** A receiver: read the raw body first, check the signature over exactly those bytes, answer at once. */
export const receiver = createServer(async (request, response) => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  const raw = Buffer.concat(chunks)
  const verdict = verifyWebhook({
    raw,
    header: String(request.headers["service-signature"] ?? ""),
    secrets,
    now: Math.floor(Date.now() / 1000),
  })
  response.writeHead(Either.isRight(verdict) ? 204 : 400).end()
  if (Either.isRight(verdict)) console.log("received", JSON.parse(raw.toString()).type)
})
