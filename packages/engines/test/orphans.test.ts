import { spawn } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { canSpeak, spokenBy } from "@earmark/testkit"
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { withProgram } from "../../../test/servers/withProgram.js"
import { DEFAULT_MODEL } from "../src/pocketsphinx/index.js"
import { enginesOf, leftOf, until } from "./processes.js"

// Engines are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const _root = fileURLToPath(new URL("../../..", import.meta.url))
const program = withProgram(new URL("./kills/listener.ts", import.meta.url))
/** What is heard. */
const speech = () => `${program()}.raw`
const canHear = canSpeak() && existsSync(DEFAULT_MODEL)

beforeAll(async () => {
  const sentence = "the weather on the island was calm and the boats came home before dark"
  const once = canHear ? spokenBy("rms", sentence) : new Int16Array(0)
  const samples = new Int16Array(once.length * 5)
  for (let turn = 0; turn < 5; turn++) samples.set(once, turn * once.length)
  writeFileSync(speech(), Buffer.from(samples.buffer))
})

afterAll(() => {
  rmSync(speech(), { force: true })
})

/** Starts a program that has windows under way, kills it at once, and looks who is left. */
const killed = (engine: "scripted" | "pocketsphinx") =>
  Effect.gen(function* () {
    const listener = spawn(process.execPath, [program(), engine, speech()], { stdio: "ignore" })
    const { pid = 0 } = listener
    yield* until(() => enginesOf(pid).length === 2)
    // In the middle of a window, or of loading for the next.
    yield* Effect.sleep("1500 millis")
    const groups = enginesOf(pid)
    assert.strictEqual(groups.length, 2)
    listener.kill("SIGKILL")
    yield* until(() => leftOf(groups).length === 0)
    return leftOf(groups)
  })

describe("a killed process leaves no engines behind", () => {
  it.live("Node children", () => Effect.map(killed("scripted"), (left) => assert.deepStrictEqual(left, [])))

  it.live.skipIf(!canHear)("programs", () =>
    Effect.map(killed("pocketsphinx"), (left) => assert.deepStrictEqual(left, [])),
  )
})
