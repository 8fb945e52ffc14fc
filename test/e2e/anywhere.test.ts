/** What runs in browsers and on the edge: bundled for them, and run without anything of Node. */

import { readFileSync } from "node:fs"
import { createContext, runInContext } from "node:vm"
import { receiveWebhook } from "@earmark/api/webhooks"
import { signWebhook, standardWebhookHeaders } from "@earmark/core/signing"
import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { bundleForBrowser, chromiumMissing, runInChromium } from "../servers/chromium.js"
import { freePort } from "../servers/processes.js"
import { root } from "./earmark.js"

/** What workers have beside the language itself. */
const webGlobals = () => ({
  AbortController,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  crypto,
  performance,
  queueMicrotask,
  setTimeout,
  structuredClone,
})

/** Runs a program as a worker on the edge would, and answers what its `run` gives. */
const runInWorker = async (code: string): Promise<unknown> => {
  const context = createContext({ ...webGlobals() })
  runInContext(await bundleForBrowser(code, `${root}packages/cli`, "iife"), context)
  const value: unknown = runInContext("JSON.stringify(program.run())", context)
  return JSON.parse(String(value))
}

const SECRET = "whsec_kR0Ef3mQ0n0k2c8v7m8tq8Jx5o0m8m1dJ0b2Qe4r5sI="
const NOW = 1_767_225_600

/** Bodies of every length around the blocks of the digest, and texts of many bytes. */
const bodies = [
  ...[0, 1, 40, 54, 55, 56, 63, 64, 65, 118, 119, 120, 200].map((length) => `{"a":"${"x".repeat(length)}"}`),
  `{"a":"${"ü€😀".repeat(5000)}"}`,
]

const deliveries = bodies.map((body) => ({
  body,
  signature: signWebhook({ secrets: [SECRET], body, timestamp: NOW }),
  headers: standardWebhookHeaders({ secrets: [SECRET], id: "evt_1", body, timestamp: NOW }),
}))

const program = `
  import { receiveWebhook } from "@earmark/api/webhooks"
  import { isApiKey, mask, signWebhook, standardWebhookHeaders, verifyStandardWebhook } from "@earmark/core/signing"
  const secret = ${JSON.stringify(SECRET)}
  const refusal = (run) => { try { run(); return "none" } catch (error) { return error.reason } }
  export const run = () => ${JSON.stringify(deliveries)}.map(({ body, signature, headers }) => {
    const given = { signature, secret, now: ${NOW} }
    const raw = new TextEncoder().encode(body)
    return {
      text: JSON.stringify(receiveWebhook({ ...given, body })) === body,
      bytes: JSON.stringify(receiveWebhook({ ...given, body: raw })) === body,
      forged: refusal(() => receiveWebhook({ ...given, body: body + " " })),
      stale: refusal(() => receiveWebhook({ ...given, body, now: ${NOW + 301} })),
      long: refusal(() => receiveWebhook({ ...given, body, secret: "x".repeat(100) })),
      signed: signWebhook({ secrets: [secret], body: raw, timestamp: ${NOW} }) === signature,
      standard: verifyStandardWebhook({ raw, headers, secrets: [secret], now: ${NOW} })._tag,
      headers: standardWebhookHeaders({ secrets: [secret], id: "evt_1", body, timestamp: ${NOW} })["webhook-signature"] === headers["webhook-signature"],
      others: typeof isApiKey + typeof mask,
    }
  })
`

const expected = {
  text: true,
  bytes: true,
  forged: "mismatch",
  stale: "stale",
  long: "mismatch",
  signed: true,
  standard: "Right",
  headers: true,
  others: "functionfunction",
}

/** Every entry point of the core, but the one that holds all others. */
const entries = Object.keys(JSON.parse(readFileSync(`${root}packages/core/package.json`, "utf8")).exports)
  .filter((name) => name !== "." && !name.endsWith(".json"))
  .map((name) => `@earmark/core${name.slice(1)}`)

const listed = [
  ...readFileSync(`${root}docs/guides/run-anywhere.md`, "utf8").matchAll(
    /^\| `(@earmark\/core\/[\w/]+)` \|/gm,
  ),
].map(([, name = ""]) => name)

const OF_NODE = /\bBuffer\.(?!isBuffer)|["']node:[a-z/]+["'](?!\)?\))|\brequire\("/

describe("webhooks", () => {
  it("are verified where there is no Node, as they are here", async () => {
    for (const { body, signature } of deliveries)
      assert.deepStrictEqual(receiveWebhook({ body, signature, secret: SECRET, now: NOW }), JSON.parse(body))
    assert.deepStrictEqual(
      await runInWorker(program),
      deliveries.map(() => expected),
    )
  })

  it.skipIf(chromiumMissing !== null)(`and in a browser${because(chromiumMissing)}`, async () => {
    const value = await runInChromium(
      await freePort(),
      await bundleForBrowser(program, `${root}packages/cli`),
    )
    assert.deepStrictEqual(
      value,
      deliveries.map(() => expected),
    )
  })
})

describe("the entry points of the core", () => {
  it("that the guide lists are those that run anywhere, and no others", async () => {
    const found = []
    for (const entry of entries) {
      const code = `import * as all from "${entry}"; export const run = () => Object.keys(all).length`
      const bundle = await bundleForBrowser(code, `${root}packages/cli`, "iife")
      if (OF_NODE.test(bundle)) continue
      const count = await runInWorker(code)
      assert.isAbove(Number(count), 0, entry)
      found.push(entry)
    }
    assert.deepStrictEqual(listed.toSorted(), found.toSorted())
    assert.include(found, "@earmark/core/signing")
  })
})
