import { spawn, spawnSync } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { bin } from "./earmark.js"
import { cannotHear } from "./recordings.js"
import { linesOf, makeWorlds } from "./worlds.js"

const { world, close } = makeWorlds("batch-e2e")
afterAll(close)

const withoutDrafts = (names: ReadonlyArray<string>) => {
  assert.isEmpty(names.filter((name) => name.includes(".earmark-")))
  return names
}

describe.skipIf(cannotHear !== null)(
  `earmark transcribe, a batch${cannotHear === null ? "" : ` (${cannotHear})`}`,
  () => {
    it("expands patterns itself, works on several at once, and names results by a pattern", async () => {
      const { add, run, names } = world()
      add("in/a.ogg", "in/b.ogg", "in/deep/c.ogg", "in/deep/CON.ogg", "in/.hidden.ogg")
      const options = ["--name", "{show}/{number} {name}: take?", "--format", "srt,txt", "--jobs", "3"]
      const { code, stderr } = await run("'in/**/*.ogg'", "-o", "out", ...options)
      assert.strictEqual(code, 0, stderr)
      const made = withoutDrafts(names()).filter((name) => /^out\/.*srt$/.test(name))
      assert.deepStrictEqual(made, [
        "out/deep/003 c- take.srt",
        "out/deep/004 CON- take.srt",
        "out/in/001 a- take.srt",
        "out/in/002 b- take.srt",
      ])
      assert.match(stderr, /^source +is +length +words +result\n/m)
      assert.match(stderr, /^4 sources: 4 done$/m)
    })

    it("tells what it would do, and does nothing", async () => {
      const { add, run, names } = world()
      add("in/a.ogg", "in/b.ogg")
      const plan = await run("in", "--dry-run", "--diarize", "-o", "out/")
      assert.strictEqual(plan.code, 0, plan.stderr)
      assert.match(plan.stdout, /^in\/a\.ogg +to do +0:3\d +out\/a\.txt$/m)
      assert.match(plan.stdout, /^2 sources: 2 to do\. 2 minutes\.\n$/m)
      const [first] = linesOf((await run("in", "--dry-run", "--json", "-o", "out/")).stdout)
      assert.deepInclude(first, { source: "in/a.ogg", status: "planned", minutes: 1, credits: 1 })
      assert.isFalse(names().includes("out"))
      const many = Array.from({ length: 12 }, (_, at) => [
        `many/${10 + at}.ogg`,
        `many/${10 + at}.mp3`,
      ]).flat()
      add(...many)
      const lines = linesOf(
        (await run("many", "--dry-run", "--json", "--max-minutes", "2", "-o", "out/")).stdout,
      )
      assert.deepStrictEqual(
        lines.map(({ source, status, outputs }) => [source, status, outputs?.[0].path]),
        many.toSorted().map((source, at) => {
          const name = source.slice("many/".length, at % 2 === 0 ? -".ogg".length : undefined)
          return at < 3 ? [source, "planned", `out/${name}.txt`] : [source, "held", undefined]
        }),
      )
    })

    it("plans hundreds of files without a program for each", async () => {
      const { add, run, names, folder } = world({ EARMARK_FFPROBE: "./counting" })
      const counting = `#!/bin/sh\necho >> ${join(folder, "calls")}\nexec ffprobe "$@"\n`
      writeFileSync(join(folder, "counting"), counting, { mode: 0o755 })
      const sources = Array.from({ length: 300 }, (_, at) => `in/${100 + at}.ogg`)
      add(...sources)
      const lines = linesOf((await run("in", "--dry-run", "--json", "-o", "out/")).stdout)
      assert.deepStrictEqual(
        lines.map(({ source, status }) => [source, status]),
        sources.map((source) => [source, "planned"]),
      )
      assert.closeTo(lines[0].duration_seconds, 37, 1)
      assert.isFalse(names().includes("calls"))
      // What is in the library is found by its bytes alone, whatever it is called.
      await run("in/100.ogg", "-o", "out/")
      rmSync(join(folder, "calls"))
      const again = linesOf((await run("in", "--dry-run", "--json", "-o", "elsewhere/")).stdout)
      assert.deepStrictEqual([...new Set(again.map(({ origin }) => origin))], ["cache"])
      // Asked for otherwise, it is not what is there.
      const [other] = linesOf((await run("in/200.ogg", "--dry-run", "--json", "--diarize")).stdout)
      assert.strictEqual(other.origin, "engine")
      assert.isFalse(names().includes("calls"))
    })

    it("plans 300 files in little time: at most 15 ms of a processor for each", () => {
      const { add, folder, set } = world()
      const sources = Array.from({ length: 300 }, (_, at) => `in/${100 + at}.ogg`)
      add(...sources)
      /** Processor time of the command and of every program that it starts, in seconds. */
      const processorTime = (...what: ReadonlyArray<string>) => {
        const script = `'${process.execPath}' '${bin}' transcribe ${what.join(" ")} --dry-run -o out/ >&2; times`
        const env = { ...process.env, ...set }
        const { stdout, stderr } = spawnSync("bash", ["-c", script], { cwd: folder, env, encoding: "utf8" })
        assert.include(stderr, `${what[0] === "in" ? sources.length : what.length} source`)
        const [, children = ""] = stdout.trim().split("\n")
        return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
          (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
          0,
        )
      }
      const each = (): number => {
        const start = processorTime(...sources.slice(0, 2))
        return (processorTime("in") - start) / sources.length
      }
      assert.isBelow(each(), 0.015)
      // Each of them may be in the library.
      const heard = ["transcribe", "in/100.ogg", "-o", "elsewhere/"]
      const { status } = spawnSync(process.execPath, [bin, ...heard], {
        cwd: folder,
        env: { ...process.env, ...set },
      })
      assert.strictEqual(status, 0)
      assert.isBelow(each(), 0.015)
    })

    it("never passes a cap, and goes on under a higher one", async () => {
      const { add, run } = world()
      add("in/a.ogg", "in/b.ogg", "in/c.ogg")
      // Three clips are a minute and a half of media, however many minutes they begin.
      const part = ["in", "--end", "30", "--no-keep"]
      const first = await run(...part, "--max-minutes", "1", "--jobs", "2", "--json")
      assert.strictEqual(first.code, 3)
      const statuses = linesOf(first.stdout).map(({ status }) => status)
      assert.deepStrictEqual(statuses.sort(), ["done", "done", "held"])
      assert.match(first.stderr, /earmark: 1 of 3 sources was not begun/)
      assert.match(first.stderr, /^in\/[abc]\.ogg +not begun .* --max-minutes leaves .*$/m)
      assert.lengthOf(first.stderr.match(/not begun/g) ?? [], 3)
      assert.match((await run(...part, "--max-minutes", "1")).stderr, /^3 sources: 1 done, 2 skipped$/m)
      add("in/d.ogg")
      const none = await run("in/d.ogg", "--max-credits", "0", "-o", "out/", "--no-keep")
      assert.strictEqual(none.code, 1)
      assert.match(
        none.stderr,
        /^earmark: in\/d\.ogg: not begun: it takes 1 credit, and --max-credits leaves 0\.$/m,
      )
    })

    it("reads standard input by any name, and pipes", async () => {
      const { add, folder, set, pipe, read } = world()
      add("a.ogg")
      const piped = await pipe(readFileSync(join(folder, "a.ogg")), "/dev/stdin", "--no-keep")
      assert.match(piped.stdout, /\w+/, piped.stderr)
      const command = `'${process.execPath}' '${bin}' transcribe --no-keep`
      const shell = (script: string) =>
        spawnSync("bash", ["-c", script], { cwd: folder, env: { ...process.env, ...set }, timeout: 60_000 })
      shell(`${command} <(cat a.ogg) > substituted.txt`)
      assert.strictEqual(read("substituted.txt"), piped.stdout)
      const idle = shell(`mkfifo idle && timeout --signal=INT 5 ${command} idle`)
      assert.isNull(idle.error ?? null)
      const twice = await pipe("", "-", "--from", "/dev/stdin")
      assert.match(twice.stderr, /^earmark: Standard input is named twice/)
    })

    it("calls what this user may not write by a code of its own, and says what to do", async () => {
      const { add, run, command } = world()
      add("a.ogg")
      const failureOf = async (...args: ReadonlyArray<string>) =>
        linesOf((await run("a.ogg", "--json", ...args)).stdout)[0].failure
      assert.deepStrictEqual(await failureOf("-o", "/sys/a.txt"), {
        code: "output_unwritable",
        message:
          "Could not write /sys/a.txt: you may not write there. Name a file in a folder that exists and that you may write to.",
      })
      const elsewhere = world({ TMPDIR: "/sys" })
      elsewhere.add("b.ogg")
      const { stdout } = await elsewhere.run("b.ogg", "--json", "-o", "out/")
      const { code, message } = linesOf(stdout)[0].failure
      assert.strictEqual(code, "temporary_unwritable")
      assert.match(message, /^Temporary files cannot be written to \/sys \(.*Set TMPDIR to a folder/)
      assert.deepStrictEqual(JSON.parse((await command("jobs", "list", "--json")).stdout).data, [])
    })

    it("tells of many sources that have their results in two lines", async () => {
      const { add, folder, run } = world()
      const names = Array.from({ length: 45 }, (_, index) => `in/${index}`)
      add(...names.map((name) => `${name}.ogg`))
      for (const name of names) writeFileSync(join(folder, `${name}.txt`), "mine")
      const { code, stderr } = await run("in", "--skip-existing")
      assert.strictEqual(code, 0)
      assert.strictEqual(
        stderr,
        "Done already: 45. To transcribe again, add --force.\n45 sources: 0 done, 45 skipped\n",
      )
    })

    it("takes lists of lines and of JSON with options of their own, and gives results that are a list again", async () => {
      const { add, folder, run, pipe, read, names } = world()
      add("a.ogg", "b.ogg", "c.ogg")
      writeFileSync(
        join(folder, "list.jsonl"),
        '# what is wanted\n{"source":"a.ogg","format":"vtt","end":10,"language":"de"}\n\nb.ogg\n{"source":"none.ogg","name":"x"}\n',
      )
      const { code, stderr } = await run("--from", "list.jsonl", "--manifest", "out.jsonl", "-o", "out/")
      assert.strictEqual(code, 3, stderr)
      assert.includeMembers(names(), ["out/a.vtt", "out/b.txt"])
      const made = linesOf(read("out.jsonl"))
      assert.deepStrictEqual(
        made.map(({ source, status, language }) => [source, status, language]),
        [
          ["a.ogg", "done", "de"],
          ["b.ogg", "done", "en"],
          ["none.ogg", "failed", undefined],
        ],
      )
      const again = await pipe(read("out.jsonl"), "--from", "-", "-o", "out/")
      assert.match(again.stderr, /^3 sources: 1 done, 1 skipped, 1 failed$/m)
      const found = await pipe("./a.ogg\0./c.ogg\0", "--from", "-", "-o", "out/", "--dry-run")
      assert.match(found.stdout, /^2 sources: /m)
      const wrong: ReadonlyArray<readonly [string, RegExp]> = [
        ['{"source":"a.ogg","formt":"srt"}', /Line 1 of .*no field "formt".*Did you mean format\?/],
        ['a.ogg\n{"source":"a.ogg","diarize":"yes"}', /Line 2 of .*"diarize"/],
        ['{"source":"a.ogg","format":"srtt"}', /Line 1 of .*no format "srtt"/],
        ['{"source":', /Line 1 of .*no JSON object/],
        [
          '{"source":\n{"source":"a.ogg","format":"srtt"}\na.ogg\n{"sorce":"a.ogg"}',
          /Line 1 of .*\nLine 2 of .*no format "srtt".*\nLine 4 of .*"sorce"/,
        ],
        ["{\n".repeat(12), /Line 10 of .*\nThere are 2 more\.$/m],
        ["a.ogg\0\u0001", /is no text/],
        ["\n#nothing\n", /names no source/],
      ]
      for (const [list, sentence] of wrong) {
        const refused = await pipe(list, "--from", "-", "-o", "out/")
        assert.deepStrictEqual([refused.code, refused.stdout], [2, ""])
        assert.match(refused.stderr, sentence)
      }
    })

    it("remembers what cannot be heard, tells a hint once, and takes what is there for done when asked to", async () => {
      const { add, folder, run: transcribe, read } = world({ EARMARK_ENGINE: "pocketsphinx" })
      const run = (...args: ReadonlyArray<string>) => transcribe(...args, "--end", "4")
      add("in/a.ogg")
      writeFileSync(join(folder, "in/letter.mp3"), "This is a letter, and no sound at all.")
      const first = await run("in")
      assert.match(first.stderr, /^in\/letter\.mp3: failed: The file is text/m)
      assert.match(first.stderr, /^ {2}speech found by loudness: /m)
      const second = await run("in", "--force", "--retry-failed")
      assert.notMatch(second.stderr, /^ {2}speech found by loudness: /m)
      const third = await run("in")
      assert.strictEqual(third.code, 3)
      assert.match(third.stderr, /^in\/letter\.mp3: failed before: .*--retry-failed tries again/m)
      assert.notInclude(third.stderr, "letter.mp3: opening")
      assert.match((await run("in", "--retry-failed")).stderr, /^in\/letter\.mp3: failed: /m)
      add("in/letter.mp3")
      writeFileSync(join(folder, "in/a.txt"), "by hand")
      const kept = await run("in", "--skip-existing", "--diarize")
      assert.match(kept.stderr, /^2 sources: 1 done, 1 skipped$/m)
      assert.strictEqual(read("in/a.txt"), "by hand")
    })

    it("says that the disk is full when standard output takes no more", async () => {
      const { add, folder, set } = world()
      add("a.ogg")
      const full = openSync("/dev/full", "w")
      const child = spawn(process.execPath, [bin, "transcribe", "a.ogg", "--json"], {
        cwd: folder,
        env: { ...process.env, ...set },
        stdio: ["ignore", full, "pipe"],
      })
      closeSync(full)
      let stderr = ""
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        stderr += text
      })
      assert.strictEqual(await new Promise((resolve) => child.on("close", resolve)), 1)
      assert.match(stderr, /^earmark: Could not write to standard output: the disk is full\.\n$/m)
    })

    it("killed half way, it goes on with the same command or with --resume, and no result is half a one", async () => {
      const { add, folder, set, run, names, read } = world()
      const texts = () => names().filter((name) => name.endsWith(".txt") && !name.includes("/.earmark-"))
      add("in/a.ogg", "in/b.ogg", "in/c.ogg", "in/d.ogg")
      const child = spawn(process.execPath, [bin, "transcribe", "--from", "-", "-o", "out/", "--jobs", "1"], {
        cwd: folder,
        env: { ...process.env, ...set, EARMARK_SCRIPTED: "delay=700" },
      })
      child.stdin.end("in\n")
      const ended = new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)))
      const isMade = () => existsSync(join(folder, "out/b.txt"))
      for (let tries = 0; tries < 1200 && !isMade(); tries++)
        await new Promise((resolve) => setTimeout(resolve, 25))
      child.kill("SIGKILL")
      assert.strictEqual(await ended, "SIGKILL")
      // A draft may be left where the kill came in between: whoever writes there next takes it away.
      const before = texts().map(read)
      assert.isBelow(before.length, 4)
      rmSync(join(folder, "out/a.txt"))
      const resumed = await run("--resume")
      assert.strictEqual(resumed.code, 0, resumed.stderr)
      assert.match(resumed.stderr, /^4 sources: \d done, \d skipped$/m)
      withoutDrafts(names())
      assert.lengthOf(texts(), 4)
      assert.strictEqual(new Set([...before, ...texts().map(read)]).size, 1)
      assert.strictEqual((await run("--resume")).code, 2)
    })
  },
)
