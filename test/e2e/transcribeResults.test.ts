import { readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { earmark } from "./earmark.js"
import { cannotHear, museum } from "./recordings.js"
import { makeWorlds, noEngine } from "./worlds.js"

const { world, close } = makeWorlds("transcribe-results")

const recording = readFileSync(museum)

afterAll(close)

describe.skipIf(cannotHear !== null)(
  `earmark transcribe${cannotHear === null ? "" : ` (${cannotHear})`}`,
  () => {
    it("writes beside each file of a folder, skips what is done, and does what has changed", async () => {
      const { add, run, names, folder } = world()
      add("in/b.ogg", "in/a.ogg", "in/deep/c.ogg")
      writeFileSync(join(folder, "in/notes.pdf"), "no recording")
      const first = await run("in")
      assert.strictEqual(first.code, 0, first.stderr)
      assert.strictEqual(first.stdout, "")
      const results = ["in/a.txt", "in/b.txt", "in/deep/c.txt"]
      for (const name of results) assert.include(names(), name)
      assert.match(first.stderr, /^3 sources: 3 done$/m)
      const second = await run("in")
      assert.strictEqual(second.code, 0)
      assert.match(second.stderr, /^Done already: 3\. To transcribe again, add --force\.\nsource /)
      assert.match(second.stderr, /^3 sources: 0 done, 3 skipped$/m)
      writeFileSync(join(folder, "in/b.txt"), "corrected")
      const third = await run("in")
      assert.match(
        third.stderr,
        /^Done already: 3\. To transcribe again, add --force\. Changed since: 1\. --force overwrites the changes\.\n/,
      )
      assert.match(third.stderr, /^in\/b\.ogg +kept as changed /m)
      writeFileSync(join(folder, "in/a.ogg"), recording.subarray(0, 60_000))
      assert.match((await run("in")).stderr, /^3 sources: 1 done, 2 skipped$/m)
      assert.match((await run("in", "--force")).stderr, /^3 sources: 3 done$/m)
      assert.strictEqual(names().filter((name) => name.endsWith(".txt")).length, 3)
    })

    it("keeps the folders below one with -o DIR/, and never writes over what is not its own", async () => {
      const { add, run, read, names, folder } = world()
      add("in/a.ogg", "in/deep/c.ogg", "talk.ogg", "talk.oga")
      assert.strictEqual((await run("in", "-o", "out/", "--format", "srt")).code, 0)
      assert.includeMembers(names(), ["out/a.srt", "out/deep/c.srt"])
      writeFileSync(join(folder, "talk.txt"), "by hand")
      const { code, stderr } = await run("talk.ogg", "talk.oga")
      assert.strictEqual(code, 1)
      assert.strictEqual(read("talk.txt"), "by hand")
      assert.match(stderr, /talk\.ogg: skipped: talk\.txt is there already, and not known to be Earmark's/)
      const quiet = await run("talk.ogg", "in/a.ogg", "--quiet")
      assert.strictEqual(quiet.code, 3)
      assert.match(
        quiet.stderr,
        /^talk\.ogg: skipped: talk\.txt is there already, [^\n]+\nearmark: 1 of 2 sources was skipped /,
      )
      assert.strictEqual((await run("talk.ogg", "--skip-existing", "--quiet")).code, 0)
    })

    it("overwrites the file named with -o only if Earmark wrote it and it is unchanged", async () => {
      const { add, run, read, folder } = world()
      add("talk.ogg")
      writeFileSync(join(folder, "notes.txt"), "by hand")
      const foreign = await run("talk.ogg", "-o", "notes.txt", "--end", "6")
      assert.strictEqual(foreign.code, 1)
      assert.match(
        foreign.stderr,
        /^earmark: talk\.ogg: skipped: notes\.txt is there already, and not known to be Earmark's \(--force overwrites it\)\n$/,
      )
      assert.strictEqual(read("notes.txt"), "by hand")
      writeFileSync(join(folder, "a.srt"), "")
      const named = ["talk.ogg", "-o", "a.srt", "--end", "6"] as const
      assert.strictEqual((await run(...named)).code, 0)
      assert.strictEqual((await run(...named, "--diarize")).code, 0)
      writeFileSync(join(folder, "a.srt"), "corrected")
      const kept = await run(...named, "--diarize", "--json")
      assert.strictEqual(kept.code, 0)
      assert.deepInclude(JSON.parse(kept.stdout), {
        status: "skipped",
        changed: true,
        reason: "a.srt is there already, changed since Earmark made it (--force makes it again)",
      })
      const other = await run(...named)
      assert.strictEqual(other.code, 1)
      assert.match(other.stderr, /a\.srt is there already, and changed since Earmark made it \(--force/)
      assert.strictEqual(read("a.srt"), "corrected")
      assert.strictEqual((await run(...named, "--force")).code, 0)
      assert.match(read("a.srt"), /^1\n/)
    })

    it("refuses a place that it cannot write to before it hears anything", async () => {
      const { add, folder, names, run } = world(noEngine)
      add("talk.ogg")
      for (const place of ["nowhere/x.txt", "talk.ogg/x.txt", "talk.ogg/below/"]) {
        const { code, stderr } = await run("talk.ogg", "-o", place)
        assert.strictEqual(code, 1)
        assert.match(
          stderr,
          /^earmark: talk\.ogg: Could not write [^\n]+: there is no such folder\. Name a file/m,
        )
      }
      symlinkSync("/proc/none.txt", join(folder, "link.txt"))
      for (const [place, why] of [
        ["/proc/x.txt", "you may not write there"],
        ["/proc/new/", "you may not write there"],
        ["link.txt", "you may not write there"],
        [`${"n".repeat(253)}.txt`, "the name is too long"],
        [`${"n".repeat(260)}/`, "the name is too long"],
      ] as const) {
        const { code, stderr } = await run("talk.ogg", "-o", place)
        assert.deepStrictEqual(
          [code, why],
          [1, /Could not write [^\n]+: ([^\n]+)\. Name a file/.exec(stderr)?.[1]],
        )
      }
      assert.deepStrictEqual(names(), ["link.txt", "talk.ogg"])
    })

    it("never writes over a recording: not with its own text, nor with a manifest, which stays away from a list, too", async () => {
      const { add, folder, read, run } = world()
      add("talk.ogg", "talk.txt", "other.ogg")
      symlinkSync("talk.ogg", join(folder, "link.srt"))
      writeFileSync(join(folder, "list.jsonl"), '{"source":"talk.ogg"}\n{"source":"other.ogg"}\n')
      const bytes = () =>
        ["talk.ogg", "talk.txt", "list.jsonl"].map((name) => readFileSync(join(folder, name)))
      const before = bytes()
      for (const [args, code, told] of [
        [
          ["talk.ogg", "--force", "-f", "srt", "-o", "talk.ogg"],
          1,
          /over the recording itself: talk\.ogg\. /,
        ],
        [["talk.ogg", "--force", "-o", "link.srt"], 1, /over the recording itself: link\.srt\. /],
        [["talk.txt", "--force", "-o", "./"], 1, /over the recording itself: talk\.txt\. /],
        [
          ["talk.ogg", "--manifest", "talk.ogg", "-o", "a.txt"],
          1,
          /talk\.ogg is there already and is no manifest/,
        ],
        [
          ["talk.ogg", "--manifest", "list.jsonl", "-o", "a.txt"],
          1,
          /list\.jsonl is there already and is no/,
        ],
        [
          ["--from", "list.jsonl", "--manifest", "./list.jsonl", "-o", "out/"],
          2,
          /--from and --manifest name the same file, list\.jsonl\./,
        ],
      ] as const) {
        const refused = await run(...args)
        assert.match(refused.stderr, told)
        assert.strictEqual(refused.code, code, refused.stderr)
        assert.deepStrictEqual(bytes(), before)
      }
      const list = ["--from", "list.jsonl", "-o", "out/", "--manifest", "made.jsonl"]
      assert.strictEqual((await run(...list)).code, 0)
      // A manifest of an earlier run makes room for the new one.
      assert.strictEqual((await run(...list)).code, 0)
      assert.lengthOf(read("made.jsonl").trim().split("\n"), 2)
    })

    it("does its work where nothing can be kept for another run", async () => {
      const { add, set, folder } = world()
      add("talk.ogg")
      const { code, stderr, stdout } = await earmark(["transcribe", "talk.ogg"], "", folder, {
        ...set,
        XDG_STATE_HOME: "/proc/nothing",
      })
      assert.strictEqual(code, 0, stderr)
      assert.include(stderr, "what is heard cannot be kept for another run")
      assert.match(
        stderr,
        /^The library of this machine cannot keep what is transcribed \(ENOENT: .+\); results are written all the same\.$/m,
      )
      assert.isNotEmpty(stdout)
    })
  },
)
