import { standardWebhookHeaders, verifyStandardWebhook } from "@earmark/core/signing"
import { Either } from "effect"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const body = '{"type":"transcription.completed"}'
const timestamp = Math.floor(Date.now() / 1000)

const headers = standardWebhookHeaders({ secrets: [secret], id: "evt_1", body, timestamp })
console.log(Object.keys(headers).join(", "))

const verdict = verifyStandardWebhook({ raw: body, headers, secrets: [secret], now: timestamp })
console.log(Either.isRight(verdict) ? verdict.right.id : verdict.left.message)
