// The whole service as a host runs it: settings from the environment, the store they name, the loops, and the first account.
import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Runtime, readSettings } from "@earmark/runtime"
import { Customers } from "@earmark/service"
import { ConfigProvider, Console, Effect, Layer } from "effect"

const folder = mkdtempSync(join(tmpdir(), "earmark-"))

// In place of the environment, so that this program is the same everywhere.
const environment = ConfigProvider.fromMap(
  new Map([
    ["EARMARK_DATA_DIR", folder],
    ["EARMARK_ENGINE", "scripted"],
    ["EARMARK_LOG_LEVEL", "none"],
  ]),
)

// #region layer
const service = Layer.unwrapEffect(
  Effect.map(readSettings, (settings) =>
    Runtime.layer(settings, {
      terminal: (text) => Console.log(text), // null: the first key goes to a file
    }),
  ),
)
// #endregion

const program = Effect.gen(function* () {
  const customers = yield* Customers
  const { items } = yield* customers.list({ limit: 10, after: null })
  return items.map(({ name }) => name)
})

const names = await Effect.runPromise(
  program.pipe(Effect.provide(service), Effect.withConfigProvider(environment)),
)

assert.deepEqual(names, ["default"])
rmSync(folder, { recursive: true })
