import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { bin } from "./earmark.js"
import { cannotHear, repeated } from "./recordings.js"
import { startIn, until } from "./started.js"
import { linesOf, makeWorlds } from "./worlds.js"

const { world, close } = makeWorlds("twice-e2e")
afterAll(close)

describe.skipIf(cannotHear !== null)(
  `earmark transcribe, two runs at once${cannotHear === null ? "" : ` (${cannotHear})`}`,
  () => {
    it("does nothing twice: what one is at, the other leaves alone, and takes over when the first is killed", async () => {
      const { add, folder, set, run, names } = world()
      add("in/b.ogg")
      repeated(16, join(folder, "in/a.ogg"))
      const claims = join(folder, ".state/earmark/claims")
      const isUnderWay = () =>
        existsSync(claims) && readdirSync(claims).some((name) => name.endsWith(".json"))
      const isHeard = () => {
        const kept = join(folder, ".state/earmark/unfinished")
        return existsSync(kept) && readdirSync(kept).length > 0
      }
      const slow = { ...set, EARMARK_SCRIPTED: "delay=1500" }
      const first = startIn(folder, slow, process.execPath, [bin, "transcribe", "in/a.ogg", "-o", "in/a.txt"])
      try {
        await until(isUnderWay, "the claim", first)
        await until(isHeard, "the first window", first)
        const plan = await run("in", "--dry-run")
        assert.match(plan.stdout, /^in\/a\.ogg +under way elsewhere +by another run \(pid \d+\)$/m)
        const second = await run("in", "--json", "--jobs", "2")
        assert.strictEqual(second.code, 3, second.stderr)
        const told = linesOf(second.stdout)
        assert.deepStrictEqual(
          told.map(({ source, status }) => [source, status]),
          [
            ["in/b.ogg", "done"],
            ["in/a.ogg", "under_way"],
          ],
        )
        assert.deepInclude(told[1], {
          pid: first.pid,
          reason: `being transcribed by another run (pid ${first.pid})`,
        })
        assert.match(second.stderr, /^2 sources: 1 done, 1 under way elsewhere$/m)
        assert.match(second.stderr, /^earmark: 1 of 2 sources is being transcribed by another run\. /m)
        const alone = await run("in/a.ogg", "-o", "in/a.txt", "--force")
        assert.strictEqual(alone.code, 1)
        assert.include(
          alone.stderr,
          `earmark: in/a.ogg: being transcribed by another run (pid ${first.pid})\n`,
        )
        assert.isFalse(existsSync(join(folder, "in/a.txt")))
      } finally {
        first.stop("SIGKILL")
      }
      assert.strictEqual(await first.ended, "SIGKILL")
      const third = await run("--resume")
      assert.strictEqual(third.code, 0, third.stderr)
      assert.include(third.stderr, "in/a.ogg: going on with what an earlier run has heard.")
      assert.match(third.stderr, /^2 sources: 1 done, 1 skipped$/m)
      assert.deepStrictEqual(names(), ["in", "in/a.ogg", "in/a.txt", "in/b.ogg", "in/b.txt"])
      assert.deepStrictEqual(readdirSync(claims), [])
    })

    it("hears each source once, however many runs begin at once where another one was killed", async () => {
      const { add, folder, set } = world()
      add("in/a.ogg", "in/b.ogg", "in/c.ogg")
      const start = (delay: number) =>
        startIn(folder, { ...set, EARMARK_SCRIPTED: `delay=${delay}` }, process.execPath, [
          bin,
          "transcribe",
          "in",
        ])
      const claims = join(folder, ".state/earmark/claims")
      const killed = start(2000)
      // A draft of a claim that its run was killed over stays, and holds nothing.
      const claimed = () =>
        existsSync(claims) ? readdirSync(claims).filter((name) => name.endsWith(".json")) : []
      await until(() => claimed().length > 0, "the claim", killed)
      killed.stop("SIGKILL")
      await killed.ended
      const runs = [start(150), start(150), start(150)]
      const codes = await Promise.all(runs.map(({ ended }) => ended))
      const outputs = runs.map(({ output }) => output())
      const all = outputs.join("")
      const heard = all.match(/^in\/\w\.ogg -> in\/\w\.txt: /gm) ?? []
      assert.deepStrictEqual(
        [...heard].sort(),
        ["a", "b", "c"].map((name) => `in/${name}.ogg -> in/${name}.txt: `),
        all,
      )
      assert.include(codes, 0, all)
      for (const output of outputs) assert.match(output, /^3 sources: /m)
      assert.deepStrictEqual(claimed(), [])
    })
  },
)
