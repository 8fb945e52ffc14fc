import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { cannotHear, museum } from "./recordings.js"
import { serveFiles, written } from "./site.js"
import { makeWorlds, noEngine } from "./worlds.js"

const { world, close } = makeWorlds("transcribe-e2e")

const recording = readFileSync(museum)

const item = (guid: string, day: string, path: string, more = "") =>
  `<item><title>Talk ${guid}: Über Bücher</title><guid>${guid}</guid><pubDate>${day} Nov 2026 06:00:00 GMT</pubDate><enclosure url="${base()}${path}" type="audio/ogg" length="${recording.length}"/>${more}</item>`

const feed = () =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Old Books</title><language>en</language>${item("heard", "10", "/museum.ogg")}${item("written", "3", "/other.ogg", `<podcast:transcript url="${base()}/written.vtt" type="text/vtt"/>`)}</channel></rss>`

const base = serveFiles((url) => {
  if (url.endsWith(".ogg")) return ["audio/ogg", recording]
  if (url === "/feed.xml") return ["application/rss+xml", feed()]
  return url === "/written.vtt" ? ["text/vtt", written] : undefined
})

afterAll(close)

describe.skipIf(cannotHear !== null)(
  `earmark transcribe${cannotHear === null ? "" : ` (${cannotHear})`}`,
  () => {
    it("hears two people for real, and names the engine", async () => {
      const { add, run, read } = world({ EARMARK_ENGINE: "pocketsphinx" })
      add("museum.ogg")
      const { code, stdout, stderr } = await run("museum.ogg", "--diarize", "--format", "txt,srt")
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "")
      assert.match(read("museum.txt"), /^Speaker 1: .*welcome to the museum/)
      assert.match(read("museum.txt"), /\nSpeaker 2: .*old books/)
      assert.match(read("museum.srt"), /^1\n00:00:0\d,\d{3} --> /)
      assert.match(stderr, /^Engine pocketsphinx: /m)
      assert.match(
        stderr,
        /^museum\.ogg -> museum\.txt, museum\.srt: 0:3\d, \d+ words, 2 speakers, by pocketsphinx \(draft, .*\), [\d.]+x real time$/m,
      )
      assert.match(stderr, /^ {2}draft: .*earmark doctor/m)
    })

    it("prints the text of one source, and tells the rest beside it in plain lines", async () => {
      const { add, run, names } = world()
      add("talk.ogg")
      const { code, stdout, stderr } = await run("talk.ogg")
      assert.strictEqual(code, 0)
      assert.match(stdout, /^[A-Z][\w ,.]+\n$/)
      // What is over within seconds is told by its result alone.
      assert.notMatch(stderr, /listening|%/)
      assert.notInclude(stderr, "\u001b")
      assert.notInclude(stderr, "\r")
      assert.deepStrictEqual(names(), ["talk.ogg"])
      // An engine with short windows tells how far it is several times.
      const slow = world({ EARMARK_ENGINE: "pocketsphinx" })
      slow.add("talk.ogg")
      const verbose = await slow.run("talk.ogg", "--verbose")
      assert.match(verbose.stderr, /^talk\.ogg: listening\n/m)
      assert.match(verbose.stderr, /^talk\.ogg: \d0 % {2}0:\d\d/m)
      assert.match(verbose.stderr, /^debug: ffprobe has ended \(code 0\)\n/m)
      assert.notMatch(verbose.stderr, /[{}]/)
      const both = await run("talk.ogg", "--verbose", "--quiet")
      assert.strictEqual(both.code, 2)
      assert.match(
        both.stderr,
        /^earmark: --quiet tells nothing and --verbose everything: give one of them\.\n$/,
      )
      const quiet = await run("talk.ogg", "--quiet", "--format", "json")
      assert.strictEqual(quiet.stderr, "")
      assert.strictEqual(JSON.parse(quiet.stdout).language, "en")
    })

    it("writes a file whose name shows no format again in another format, and once in the same", async () => {
      const { add, folder, run } = world()
      add("talk.ogg")
      const text = () => readFileSync(join(folder, "plain"), "utf8")
      const as = (format: string) => run("talk.ogg", "-o", "plain", "--format", format)
      assert.strictEqual((await as("txt")).code, 0)
      assert.notInclude(text(), "-->")
      assert.strictEqual((await as("srt")).code, 0)
      assert.include(text(), "-->")
      assert.match((await as("srt")).stderr, /skipped/)
    })

    it("reads standard input", async () => {
      const { pipe, names } = world()
      const { code, stdout } = await pipe(recording, "-", "--format", "vtt", "--start", "0:05", "--end", "20")
      assert.strictEqual(code, 0)
      assert.match(stdout, /^WEBVTT\n[\s\S]*00:00:0[5-9]/)
      assert.notInclude(stdout, "00:00:21")
      assert.deepStrictEqual(names(), [])
      assert.match(
        (await pipe(new Uint8Array(), "-")).stderr,
        /standard input: Nothing came from standard input\. Check the command/,
      )
    })

    it("plans to print what it would print, and to write what it would write", async () => {
      const { add, run, names } = world()
      add("talk.ogg")
      const printed = await run("talk.ogg", "--dry-run", "--format", "vtt")
      assert.match(printed.stdout, / would print\ntalk\.ogg +to do +0:37 +vtt\n/)
      const written = await run("talk.ogg", "--dry-run", "-o", "talk.srt")
      assert.match(written.stdout, / would write\ntalk\.ogg +to do +0:37 +talk\.srt\n/)
      const [told, made] = [await run("talk.ogg", "--dry-run", "--json"), await run("talk.ogg", "--json")]
      assert.deepStrictEqual(JSON.parse(told.stdout).outputs, [{ format: "txt", path: "talk.txt" }])
      assert.deepStrictEqual(JSON.parse(made.stdout).outputs, [{ format: "txt", path: "talk.txt" }])
      assert.deepStrictEqual(names(), ["talk.ogg", "talk.txt"])
    })

    it("tells how much of it was asked for, beside its length", async () => {
      const { add, run } = world()
      add("talk.ogg")
      const part = ["talk.ogg", "--start", "0:05", "--end", "20"] as const
      assert.match((await run(...part, "--dry-run")).stdout, / 0:15 of 0:37 /)
      assert.match((await run(...part)).stderr, /^talk\.ogg: 0:15 of 0:37, \d+ words/m)
      const told = JSON.parse((await run(...part, "--json", "--force")).stdout)
      assert.deepInclude(told, { duration_seconds: 37, heard_seconds: 15 })
      assert.approximately(told.speed * told.took_seconds, 15, 1.5)
    })

    it("tells scripts a line of JSON for each source", async () => {
      const { add, run, names } = world()
      add("a.ogg")
      const { code, stdout } = await run(
        "a.ogg",
        "missing.mp3",
        "--json",
        "--format",
        "md",
        "--diarize",
        "--quiet",
      )
      assert.strictEqual(code, 3)
      const [done, failed] = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.deepInclude(done, {
        source: "a.ogg",
        status: "done",
        outputs: [{ format: "md", path: "a.md" }],
        engine: "scripted",
        speakers: 2,
      })
      assert.deepInclude(failed, { source: "missing.mp3", status: "failed" })
      assert.include(names(), "a.md")
    })

    it("transcribes the newest episode of a feed, and names the result by its title", async () => {
      const { run, names } = world()
      const { code, stderr } = await run(`${base()}/feed.xml`, "--format", "txt,srt")
      assert.strictEqual(code, 0, stderr)
      assert.deepStrictEqual(names(), ["talk-heard-über-bücher.srt", "talk-heard-über-bücher.txt"])
      assert.match((await run(`${base()}/feed.xml`, "--format", "txt,srt")).stderr, /skipped/)
    })

    it("calls speakers what the publisher calls them, where speakers are asked for", async () => {
      const { run, command } = world(noEngine)
      const named = await run(`${base()}/feed.xml`, "--episode", "written", "--diarize")
      assert.match(named.stdout, /^Ann: This was written .*\n\nBen: And it covers /)
      const { data } = JSON.parse((await command("jobs", "list", "--json")).stdout)
      const kept = await command("export", data[0].id, "--format", "vtt")
      assert.match(kept.stdout, /<v Ann>This was written/)
    })

    it("takes the text of the publisher, also where nothing can hear", async () => {
      const { run } = world(noEngine)
      for (const episode of ["written", "1"]) {
        const { code, stdout, stderr } = await run(`${base()}/feed.xml`, "--episode", episode)
        assert.strictEqual(code, 0, stderr)
        assert.strictEqual(
          stdout,
          "This was written by people, word for word. And it covers all of it, from the beginning to the end.\n",
        )
        assert.match(stderr, /from the publisher's captions/)
      }
    })
  },
)
