// Plays the sender of a webhook: prints the Service-Signature header of a body, signed now.
//   node examples/quickstart/sign.mjs SECRET FILE
import { readFileSync } from "node:fs"
import { signWebhook } from "@earmark/core/signing"

const [secret, file] = process.argv.slice(2)
const timestamp = Math.floor(Date.now() / 1000)
console.log(signWebhook({ secrets: [secret], body: readFileSync(file), timestamp }))
