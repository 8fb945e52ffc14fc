import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { placeOf } from "../src/results/destination.js"
import { makeClaims } from "../src/state/claims.js"
import { rememberMade } from "../src/state/made.js"
import { startOf } from "../src/state/processes.js"

const root = mkdtempSync(join(tmpdir(), "earmark-claims-"))
const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })
const pid = other.pid ?? 0

afterAll(() => {
  other.kill("SIGKILL")
  rmSync(root, { recursive: true })
})

let worlds = 0

/** A folder of claims, and how to make what stands in it another run's. */
const newWorld = () => {
  const folder = join(root, String(worlds++))
  const claims = makeClaims(folder)
  const result = join(folder, "talk.txt")
  const names = () => readdirSync(folder)
  const change = (fields: Readonly<Record<string, unknown>>) => {
    for (const name of names()) {
      const file = join(folder, name)
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...fields }))
    }
  }
  return { folder, claims, result, names, change }
}

const living = { pid, started: startOf(pid) }

describe("what another run is making", () => {
  it.effect("is left alone while that run lives, and nothing else is claimed either", () =>
    Effect.gen(function* () {
      const { claims, result, names, change, folder } = newWorld()
      assert.isNull(yield* Effect.scoped(claims.claim([result], "talk")))
      assert.deepStrictEqual(names(), [])
      yield* claims.claim([result], "talk")
      change(living)
      const second = makeClaims(folder)
      yield* Effect.scoped(
        Effect.gen(function* () {
          assert.strictEqual(yield* second.claim([join(folder, "talk.srt"), result], "talk"), pid)
          assert.lengthOf(names(), 1)
        }),
      )
      assert.lengthOf(names(), 1)
      assert.deepInclude(yield* second.holder(result), { pid, source: "talk" })
    }).pipe(Effect.scoped),
  )

  it.effect(
    "is free again when that run is dead, whoever has its number now; another machine's counts for nothing",
    () =>
      Effect.gen(function* () {
        const ended = spawnSync(process.execPath, ["-e", ""]).pid
        for (const dead of [
          { pid: ended, started: "1" },
          { pid, started: "1" },
          { ...living, host: `not ${hostname()}` },
          { pid: "rubbish" },
        ]) {
          const { claims, result, names, change, folder } = newWorld()
          yield* Effect.scoped(
            Effect.gen(function* () {
              yield* claims.claim([result], "talk")
              change(dead)
              assert.isNull(yield* makeClaims(folder).holder(result))
              assert.isNull(yield* Effect.scoped(makeClaims(folder).claim([result], "talk")))
              assert.deepStrictEqual(names(), [])
            }),
          )
        }
      }),
  )

  it.effect("is a name taken, for a run with another source", () =>
    Effect.gen(function* () {
      const { claims, change, folder } = newWorld()
      const made = rememberMade(join(folder, "..", `made-${worlds}`), claims)
      const untitled = { title: null, show: null, publishedAt: null, guid: null }
      const placed = (name: string) =>
        placeOf({ type: "file", name, path: join(folder, name), below: "" }, untitled, null, null, 1)
      yield* claims.claim([join(folder, "talk.txt")], "talk.mp3")
      change(living)
      const pathFor = (source: string) =>
        Effect.map(
          made.choose(placed(source), ["txt"], { source, asked: "a" }, "update"),
          ({ targets }) => targets[0]?.path,
        )
      assert.strictEqual(yield* pathFor("talk.wav"), join(folder, "talk.wav.txt"))
      assert.strictEqual(yield* pathFor("talk.mp3"), join(folder, "talk.txt"))
    }).pipe(Effect.scoped),
  )

  it.effect("does not keep this run from asking twice, and is swept away when it is old", () =>
    Effect.gen(function* () {
      const { claims, result, names, folder } = newWorld()
      mkdirSync(folder)
      writeFileSync(join(folder, "old.json"), "{")
      utimesSync(join(folder, "old.json"), 0, 86_400)
      yield* TestClock.setTime(10 * 86_400_000)
      yield* claims.claim([result], "talk")
      assert.isNull(yield* Effect.scoped(claims.claim([result], "talk")))
      assert.lengthOf(names(), 1)
      assert.isNull(yield* claims.claim(["/dev/null"], "talk"))
      assert.lengthOf(names(), 1)
    }).pipe(Effect.scoped),
  )

  it.effect("cannot be told where nothing can be written: the work goes on", () =>
    Effect.gen(function* () {
      const file = join(root, "file")
      writeFileSync(file, "")
      assert.isNull(yield* Effect.scoped(makeClaims(file).claim([join(root, "x.txt")], "talk")))
    }),
  )
})
