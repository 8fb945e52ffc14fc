import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { cannotHear, museum } from "./recordings.js"
import { makeWorlds } from "./worlds.js"

const { world, close } = makeWorlds("transcribe-e2e")

const recording = readFileSync(museum)

const item = (guid: string, day: string, path: string, more = "") =>
  `<item><title>Talk ${guid}: Über Bücher</title><guid>${guid}</guid><pubDate>${day} Nov 2026 06:00:00 GMT</pubDate><enclosure url="${base()}${path}" type="audio/ogg" length="${recording.length}"/>${more}</item>`

const feed = () =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Old Books</title><language>en</language>${item("heard", "10", "/museum.ogg")}${item("written", "3", "/other.ogg", `<podcast:transcript url="${base()}/written.vtt" type="text/vtt"/>`)}</channel></rss>`

const written =
  "WEBVTT\n\n00:00.000 --> 00:17.000\n<v Ann>This was written by people, word for word.\n\n00:17.000 --> 00:36.000\n<v Ben>And it covers all of it, from the beginning to the end.\n"

const server = createServer(({ url = "" }, response) => {
  const [type, body] = url.endsWith(".ogg")
    ? ["audio/ogg", recording]
    : url === "/feed.xml"
      ? ["application/rss+xml", feed()]
      : url === "/written.vtt"
        ? ["text/vtt", written]
        : ["", ""]
  if (type === "") response.writeHead(404)
  else response.setHeader("content-type", type)
  response.end(body)
})

const base = (): string => {
  const address = server.address()
  return `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
}

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))

afterAll(() => {
  server.closeAllConnections()
  server.close()
  close()
})

const oneSentence = /^earmark: [^\n]+\n$/

const noEngine = {
  EARMARK_ENGINE: "pocketsphinx",
  EARMARK_POCKETSPHINX: "/nowhere",
  EARMARK_MODELS_DIR: "/nowhere/models",
}

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

    it("refuses a file whose name says another format, and tells what to do where a name says none", async () => {
      const { add, run, names, folder } = world()
      add("talk.ogg", "other.ogg")
      writeFileSync(join(folder, "notes"), "mine")
      for (const [args, told] of [
        [
          ["-o", "y.srt", "--format", "vtt"],
          /^earmark: y\.srt is named as srt, and --format asks for vtt: name it y\.vtt, or leave out --format\.\n$/,
        ],
        [
          ["-o", "/dev/null"],
          /^earmark: The name \/dev\/null does not show a format\. Choose one with --format\.\n$/,
        ],
        [["-o", "notes"], /^earmark: The name notes does not show a format\. Choose one with --format\.\n$/],
        [
          ["other.ogg", "-o", "/dev/null"],
          /^earmark: Several results need a folder, and -o \/dev\/null is a file\. Use another name, such as -o results\/\.\n$/,
        ],
      ] as const) {
        const { code, stderr } = await run("talk.ogg", ...args)
        assert.strictEqual(code, 2, stderr)
        assert.match(stderr, told)
      }
      for (const args of [
        ["-o", "y.json", "--format", "podcast_json"],
        ["-o", "y.out", "--format", "vtt"],
        ["-o", "/dev/null", "--format", "txt"],
      ])
        assert.strictEqual((await run("talk.ogg", ...args)).code, 0)
      assert.deepStrictEqual(names(), ["notes", "other.ogg", "talk.ogg", "y.json", "y.out"])
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

    it("says what is wrong with a beginning behind the end, and what a format has no place for", async () => {
      const { add, run } = world()
      add("talk.ogg")
      const behind = await run("talk.ogg", "--start", "1:00")
      assert.strictEqual(behind.code, 1)
      assert.match(behind.stderr, /^earmark: talk\.ogg: --start 1:00 is behind its end: it is 0:37 long\.$/m)
      const unshown = await run("talk.ogg", "--end", "5", "--summary", "--chapters", "-o", "talk.srt")
      assert.match(unshown.stderr, /^--summary and --chapters: srt has no place for it\. Add --format md, /m)
      const shown = await run("talk.ogg", "--end", "5", "--summary", "--chapters", "--format", "txt,md")
      assert.notInclude(shown.stderr, "no place")
    })

    it("refuses to translate where nobody does, before it hears", async () => {
      const { add, run, folder, names } = world()
      add("talk.ogg")
      writeFileSync(join(folder, "list.jsonl"), `{"source":"talk.ogg","translate":"de"}\n`)
      for (const args of [
        ["talk.ogg", "--translate", "de"],
        ["--from", "list.jsonl", "-o", "out/"],
      ]) {
        const { code, stdout, stderr } = await run(...args)
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.match(
          stderr,
          /^earmark: No translator is set up\. Set EARMARK_TRANSLATE_URL or EARMARK_LLM_URL /,
        )
      }
      assert.deepStrictEqual(names(), ["list.jsonl", "talk.ogg"])
    })

    it("refuses to choose episodes where there is no feed", async () => {
      const { add, run } = world()
      add("talk.ogg")
      const { code, stderr } = await run("talk.ogg", "--latest", "3")
      assert.strictEqual(code, 2)
      assert.match(stderr, /choose episodes of feeds, and talk\.ogg is not a feed/)
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

    it("says how to get an engine before anything is downloaded or decoded", async () => {
      const { add, run } = world(noEngine)
      add("a.ogg")
      for (const source of ["a.ogg", `${base()}/museum.ogg`]) {
        const { code, stderr } = await run(source, "--engine", "auto", "--quiet")
        assert.strictEqual(code, 1)
        assert.match(
          stderr,
          /No speech engine is here\. .*models pull moonshine-base.*apt-get install pocketsphinx.*EARMARK_OPENAI_URL/,
        )
        assert.match(stderr, oneSentence)
      }
    })

    it("answers each broken source with one sentence, and goes on with the others", async () => {
      const { add, folder, run } = world()
      add("good.ogg")
      mkdirSync(join(folder, "none"))
      writeFileSync(join(folder, "empty.mp3"), "")
      writeFileSync(join(folder, "text.mp3"), "This is a letter, and no sound at all.")
      writeFileSync(join(folder, "noise.mp3"), Buffer.alloc(5000, 7))
      const broken: ReadonlyArray<readonly [string, RegExp]> = [
        ["empty.mp3", /The file is empty; /],
        ["text.mp3", /The file is text, and no recording; /],
        ["noise.mp3", /convert it, for example to MP3/],
        ["none", /This folder has no audio or video file/],
        ["missing.mp3", /No such file or folder. Check the path/],
        ["www.example.com/a.mp3", /begin it with https:/],
        [`${base()}/none.mp3`, /answered 404: there is nothing at this address/],
        ["http://10.1.2.3/a.mp3", /not on the public internet/],
        ["https://open.spotify.com/episode/1", /give the RSS or Apple link/],
      ]
      for (const [source, sentence] of broken) {
        const { code, stdout, stderr } = await run(source, "--quiet")
        assert.deepStrictEqual([code, stdout], [1, ""], source)
        assert.match(stderr, oneSentence)
        assert.match(stderr, sentence)
      }
      const all = await run(...broken.map(([source]) => source), "good.ogg")
      assert.strictEqual(all.code, 3)
      assert.match(all.stderr, /^10 sources: 1 done, 9 failed$/m)
      assert.match(all.stderr, /^earmark: 9 of 10 sources failed\. The lines above say why\.$/m)
      assert.isTrue(existsSync(join(folder, "good.txt")))
    })

    const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [[], /needs <source>/],
      [["a.ogg", "--fromat", "srt"], /no option --fromat\. Did you mean --format\?/],
      [["a.ogg", "--format", "srtt"], /no format "srtt".*Did you mean srt\?/],
      [["a.ogg", "--word-level", "-f", "srt,chapters"], /--word-level: chapters cannot .* Take srt, vtt, /],
      [["a.ogg", "--start", "soon"], /--start needs a time such as 90/],
      [["a.ogg", "--start", "30", "--end", "0:20"], /--end must come after --start/],
      [["a.ogg", "--speakers", "4-2"], /--speakers must be a number/],
      [["a.ogg", "--language", "klingonish"], /Unknown language "klingonish"\. Use a code such as en, de/],
      [["a.ogg", "--language", "xx"], /Unknown language "xx"\. Use a code such as en, de or pt-BR\./],
      [["a.ogg", "--engine", "magic"], /--engine takes one of .*, not "magic"/],
      [["a.ogg", "-o", "x.pdf"], /Unknown format \.pdf\. The formats are srt, /],
      [["a.ogg", "-o", "results"], /Write results\.txt for a file, or results\/ for a folder/],
      [["a.ogg", "--name", "{titel}"], /there is no \{titel\}/],
      [["a.ogg", "--name", "../{title}"], /must not lead out/],
      [["feed.xml", "--all", "--episode", "0"], /give one kind/],
      [["feed.xml", "--since", "yesterday"], /--since needs a day/],
      [["a.ogg", "--jobs", "0"], /--jobs must be 1 or more/],
      [["a.ogg", "--latest", "0"], /--latest must be 1 or more/],
      [["--resume"], /There is nothing to go on with in this folder/],
      [["a.ogg", "--resume"], /--resume stands alone/],
      [["--jobs", "2", "--resume"], /--resume stands alone/],
      [["--from", "none.txt"], /The list cannot be read\. Could not read none\.txt: there is no such file\./],
      [
        ["a.ogg", "b.ogg", "-o", "x.txt"],
        /Several results need a folder, and -o x\.txt names a file\. Use a name that ends with \/, such as -o x\/\./,
      ],
      [["a.ogg", "--speakers", "Ann"], /a range such as 2-4, or names such as "Speaker 1=Ann", not "Ann"/],
      [["a.ogg", "b.ogg", "-o", "-"], /-o - takes one source/],
      [["a.ogg", "-o", "-", "--json"], /--json writes to standard output itself/],
      [["a.ogg", "--watch", "nowhere"], /Cannot watch nowhere: it is not a folder/],
    ]
    for (const [args, sentence] of wrong) {
      it(`answers "earmark transcribe ${args.join(" ")}" with exit code 2`, async () => {
        const { run } = world()
        const { code, stdout, stderr } = await run(...args)
        assert.deepStrictEqual([code, stdout], [2, ""], stderr)
        assert.match(stderr, oneSentence)
        assert.match(stderr, sentence)
      })
    }
  },
)
