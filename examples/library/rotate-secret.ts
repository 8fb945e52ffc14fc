import { randomBytes } from "node:crypto"
import { makeWebhookSecret, secretsInForce, signWebhook, verifyWebhook } from "@earmark/core/signing"
import { Either } from "effect"

const now = Math.floor(Date.now() / 1000)
const before = Either.getOrThrow(makeWebhookSecret(randomBytes(32)))
const current = Either.getOrThrow(makeWebhookSecret(randomBytes(32)))

// The sender: one signature for each secret that is still in force.
const secrets = secretsInForce(current, [{ secret: before, endsAt: now + 86_400 }], now)
const body = '{"type":"webhook.test"}'
const header = signWebhook({ secrets, body, timestamp: now })
console.log(`${secrets.length} secrets, ${header.split(",v1=").length - 1} signatures`)

// The receiver: every secret it may still meet.
const accepts = (known: ReadonlyArray<string>) =>
  Either.isRight(verifyWebhook({ raw: body, header, secrets: known, now }))
console.log("not updated yet:", accepts([before]))
console.log("updated:", accepts([current, before]))
console.log("a stranger's:", accepts(["whsec_c29tZWJvZHkgZWxzZQ=="]))
