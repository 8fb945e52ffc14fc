import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { bin, earmark } from "./earmark.js"
import { cannotHear, museum, repeated } from "./recordings.js"
import { keptWindows, startIn, until } from "./started.js"

const place = mkdtempSync(join(tmpdir(), "earmark-stopped-e2e-"))
const talk = join(place, "talk.mp3")
const state = join(place, "state")
const scratch = join(place, "tmp")
const unfinished = join(state, "earmark", "unfinished")

const environment = {
  XDG_STATE_HOME: state,
  TMPDIR: scratch,
  EARMARK_ENGINE: "scripted",
  EARMARK_SCRIPTED: "delay=250",
}

beforeAll(() => {
  mkdirSync(scratch)
  if (cannotHear === null) repeated(16, talk)
})

afterAll(() => rmSync(place, { recursive: true, force: true }))

const start = (program: string, args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
  startIn(place, { ...environment, ...more }, program, args)

const transcribe = (...args: ReadonlyArray<string>) => start(process.execPath, [bin, "transcribe", ...args])

const kept = () => keptWindows(unfinished)

const childrenOf = (pid: number): ReadonlyArray<string> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const [, facts = ""] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")
        const [status, parent] = facts.split(" ")
        return parent === String(pid) && status !== "Z"
      } catch {
        return false
      }
    })

describe.skipIf(cannotHear !== null)(
  `earmark transcribe, stopped${cannotHear === null ? "" : ` (${cannotHear})`}`,
  () => {
    it("killed in the middle, it hears no window again that was heard, and the text is the same", async () => {
      const whole = await earmark(["transcribe", talk, "--quiet", "--no-keep"], "", place, {
        ...environment,
        EARMARK_SCRIPTED: "",
      })
      const first = transcribe(talk, "-o", "talk.txt")
      await until(() => kept().length >= 8, "the eighth window", first)
      first.stop("SIGKILL")
      assert.strictEqual(await first.ended, "SIGKILL")
      const before = kept()
      const second = transcribe(talk, "-o", "talk.txt")
      await until(() => kept().length >= before.length + 6, "six more windows", second)
      const after = kept()
      second.stop("SIGKILL")
      await second.ended
      assert.deepStrictEqual(after.slice(0, before.length), before)
      assert.strictEqual(new Set(after).size, after.length)
      // At most what was under way: the windows heard next are those right behind.
      const missing = Array.from({ length: Math.max(...before) + 1 }, (_, index) => index).filter(
        (index) => !before.includes(index),
      )
      assert.isAtMost(missing.length, 2)
      const between = await earmark(["transcribe", talk, "--end", "1", "--quiet"], "", place, environment)
      assert.strictEqual(between.code, 0, between.stderr)
      const third = transcribe("--resume")
      assert.strictEqual(await third.ended, 0)
      assert.include(third.output(), "going on with what an earlier run has heard")
      assert.strictEqual(readFileSync(join(place, "talk.txt"), "utf8"), whole.stdout)
      assert.deepStrictEqual(readdirSync(unfinished), [])
      const none = await earmark(["transcribe", "--resume"], "", place, environment)
      assert.strictEqual(none.code, 2)
    })

    it("Ctrl-C says where it stopped, ends with 130, and leaves nothing behind but that", async () => {
      for (const name of readdirSync(scratch)) rmSync(join(scratch, name), { recursive: true })
      const run = transcribe(talk, "-o", "other.txt", "--force")
      await until(() => kept().length >= 3, "the third window", run)
      const children = childrenOf(run.pid)
      assert.isNotEmpty(children)
      run.stop("SIGINT")
      assert.strictEqual(await run.ended, 130)
      assert.match(
        run.output(),
        /talk\.mp3: stopped at \d:\d\d \(kept in [^)]+unfinished\); the same command goes on there\.\n$/,
      )
      for (const child of children)
        assert.isFalse(existsSync(`/proc/${child}/exe`) && childrenOf(run.pid).includes(child))
      assert.deepStrictEqual(readdirSync(scratch), [])
      assert.isFalse(existsSync(join(place, "other.txt")))
      assert.isAtLeast(kept().length, 3)
    })

    it("on a terminal it shows a bar and the words as they come, and colours only where they are wanted", async () => {
      const command = `'${process.execPath}' '${bin}' transcribe '${talk}' --format srt -o shown.srt --force`
      const shown = (more: Readonly<Record<string, string>>) =>
        start("script", ["-qec", command, "/dev/null"], {
          COLUMNS: "",
          EARMARK_SCRIPTED: "delay=500",
          ...more,
        })
      const plain = shown({ NO_COLOR: "1" })
      assert.strictEqual(await plain.ended, 0, plain.output())
      assert.match(plain.output(), /━+─+/)
      assert.match(plain.output(), /\d+ % {2}0:\d\d/)
      assert.match(plain.output(), /0:\d\d {2}[A-Z][a-z ]+/)
      assert.notMatch(plain.output(), /\u001b\[\d+m/)
      assert.match(plain.output(), /talk\.mp3 -> shown\.srt: \d:\d\d, /)
      const coloured = shown({ NO_COLOR: "" })
      assert.strictEqual(await coloured.ended, 0)
      assert.match(coloured.output(), /\u001b\[36m/)
    })

    it("Ctrl-C on a terminal takes the bar away", async () => {
      const command = `'${process.execPath}' '${bin}' transcribe '${talk}' -o never.txt --force`
      const run = start("script", ["-qec", command, "/dev/null"])
      await until(() => /[1-9]\d* %/.test(run.output()), "the bar", run)
      run.write("\u0003")
      assert.strictEqual(await run.ended, 130)
      assert.match(
        run.output(),
        /\u001b\[2K[^\n]*stopped at \d:\d\d \(kept in [^)]+unfinished\); the same command goes on there\.\s*$/,
      )
    })

    it("watches a folder: files that are settled, whole results, until Ctrl-C", async () => {
      const inbox = join(place, "inbox")
      mkdirSync(inbox)
      const run = transcribe("--watch", "inbox", "--format", "vtt", "-o", "watched/")
      await until(() => run.output().includes("Watching inbox"), "the watch", run)
      copyFileSync(museum, join(inbox, "a.part"))
      renameSync(join(inbox, "a.part"), join(inbox, "a.ogg"))
      const growing = readFileSync(museum)
      const grow = setInterval(
        () => writeFileSync(join(inbox, "b.ogg"), growing.subarray(0, 1000), { flag: "a" }),
        400,
      )
      try {
        await until(() => existsSync(join(place, "watched/a.vtt")), "the first result", run)
        assert.isFalse(existsSync(join(place, "watched/b.vtt")))
        assert.notInclude(run.output(), "b.ogg")
      } finally {
        clearInterval(grow)
      }
      writeFileSync(join(inbox, "b.ogg"), growing)
      await until(() => existsSync(join(place, "watched/b.vtt")), "the second result", run)
      run.stop("SIGINT")
      assert.strictEqual(await run.ended, 130)
      assert.match(readFileSync(join(place, "watched/b.vtt"), "utf8"), /^WEBVTT/)
    })
  },
)
