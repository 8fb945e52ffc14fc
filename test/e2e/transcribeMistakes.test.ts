import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { cannotHear, museum } from "./recordings.js"
import { serveFiles } from "./site.js"
import { makeWorlds, noEngine } from "./worlds.js"

const { world, close } = makeWorlds("transcribe-mistakes")
const base = serveFiles((url) => (url === "/museum.ogg" ? ["audio/ogg", readFileSync(museum)] : undefined))

afterAll(close)

const oneSentence = /^earmark: [^\n]+\n$/

describe.skipIf(cannotHear !== null)(
  `earmark transcribe${cannotHear === null ? "" : ` (${cannotHear})`}`,
  () => {
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
