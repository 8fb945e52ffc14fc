import { randomBytes } from "node:crypto"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type EarmarkServer, runEarmark, startEarmark } from "../../servers/earmarkServer.js"
import { exited, freePort } from "../../servers/processes.js"
import { type StoreForTests, storesForTests } from "../../servers/stores.js"
import { answerOf, type Environment, newFolder, refusal, removeFolders, run } from "./operator.js"

afterAll(removeFolders)

const NOT_OURS = /is not the secrets key of the store\. .+ earmark migrate --new-secrets-key;/

const newKey = () => randomBytes(32).toString("base64")

const statusOf = async ({ baseUrl }: EarmarkServer, path: string, key: string, body?: object) => {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
  const asked = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
  return (await fetch(`${baseUrl}${path}`, { headers, ...asked })).status
}

/** What the sign-in of agents is signed with. */
const signingKeys = async ({ baseUrl }: EarmarkServer): Promise<ReadonlyArray<string>> => {
  const answer = await fetch(`${baseUrl}/oauth/jwks`)
  assert.strictEqual(answer.status, 200)
  return Object(await answer.json()).keys.map(({ kid }: { readonly kid: string }) => kid)
}

for (const { name, missing, start } of storesForTests) {
  describe.skipIf(missing !== null)(
    `the secrets key of ${name}${missing === null ? "" : ` (${missing})`}`,
    () => {
      let store: StoreForTests
      let environment: Environment
      let service: EarmarkServer | undefined

      const started = async () => {
        service = await startEarmark(environment)
        return service
      }

      /** Puts another key in the place of the one that processes are started with. */
      const changeKey = () => {
        if (environment.EARMARK_SECRETS_KEY !== undefined) {
          environment = { ...environment, EARMARK_SECRETS_KEY: newKey() }
        } else {
          writeFileSync(join(environment.EARMARK_DATA_DIR ?? "", "secrets-key"), newKey())
        }
      }

      const refusedStart = async (command: "serve" | "worker", given: Environment = {}) => {
        const running = runEarmark(command, {
          ...environment,
          EARMARK_PORT: String(await freePort()),
          ...given,
        })
        await exited(running.child)
        assert.strictEqual(running.child.exitCode, 1, running.log())
        assert.match(running.log(), NOT_OURS)
        assert.match(running.log(), /^earmark: [^\n]+\n$/)
      }

      beforeAll(async () => {
        store = await start()
        environment = { ...store.environment, EARMARK_DATA_DIR: newFolder(), EARMARK_ENGINE: "scripted" }
      })
      afterAll(async () => {
        await service?.stop()
        await store?.stop()
      })

      it("refuses every start with another one, and is changed when that is wanted", {
        timeout: 180_000,
      }, async () => {
        const before = await started()
        const kids = await signingKeys(before)
        const hook = { url: `${before.baseUrl}/hook` }
        assert.strictEqual(await statusOf(before, "/api/v1/webhooks", before.key, hook), 201)
        await before.stop()

        changeKey()
        // What opens the embedded store does so one after the other, and slowly.
        const isServer = environment.EARMARK_DATABASE_URL !== undefined
        await refusedStart("serve")
        if (isServer) {
          await Promise.all([refusedStart("serve", { EARMARK_ROLE: "api" }), refusedStart("worker")])
          await refusal(environment, 1, NOT_OURS, "accounts", "list")
        }

        const { secrets_key: change, ...migrated } = await answerOf(
          environment,
          "migrate",
          "--new-secrets-key",
        )
        assert.deepInclude(migrated, { applied: 0 })
        assert.match(change.was, /^[0-9a-f]{8}$/)
        assert.match(change.is, /^[0-9a-f]{8}$/)
        assert.notStrictEqual(change.was, change.is)
        assert.isTrue(change.sign_in_forgotten)
        if (isServer) {
          const { stdout } = await run(environment, "migrate", "--new-secrets-key")
          assert.match(stdout, /^The store has this secrets key already; nothing was changed\.\n$/m)
        }

        const after = await started()
        const remade = await signingKeys(after)
        assert.isNotEmpty(remade)
        for (const kid of remade) assert.notInclude(kids, kid)
        assert.strictEqual(await statusOf(after, "/api/v1/webhooks", before.key), 401)
        const { data } = await answerOf(environment, "accounts", "list")
        const { key } = await answerOf(
          environment,
          "keys",
          "create",
          "--account",
          data[0].id,
          "--scopes",
          "webhooks",
        )
        const endpoints = await fetch(`${after.baseUrl}/api/v1/webhooks`, {
          headers: { Authorization: `Bearer ${key}` },
        })
        const [endpoint] = Object(await endpoints.json()).data
        const rotate = `/api/v1/webhooks/${endpoint.id}/rotate-secret`
        assert.strictEqual(await statusOf(after, rotate, key, { grace_seconds: 0 }), 200)
      })
    },
  )
}

it("a folder without a store is told of a new secrets key, and gets none", { timeout: 60_000 }, async () => {
  const folder = join(newFolder(), "elsewhere")
  await refusal(
    { EARMARK_DATA_DIR: folder },
    1,
    /There is no store in .+\[store_missing\]/,
    "migrate",
    "--new-secrets-key",
  )
  assert.isFalse(existsSync(folder))
})
