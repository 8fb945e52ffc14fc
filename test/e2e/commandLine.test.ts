import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { earmark, root } from "./earmark.js"

const oneSentence = /^earmark: [^\n]+\n$/

describe("defaults of the user", () => {
  const withFile = async (text: string, ...args: ReadonlyArray<string>) => {
    const place = mkdtempSync(join(tmpdir(), "earmark-defaults-"))
    mkdirSync(join(place, "earmark"))
    writeFileSync(join(place, "earmark/defaults.json"), text)
    copyFileSync(join(root, "examples/quickstart/museum.ogg"), join(place, "a.mp3"))
    const ran = await earmark(["transcribe", "a.mp3", "--local", "--no-keep", ...args], "", place, {
      XDG_CONFIG_HOME: place,
      XDG_STATE_HOME: join(place, "state"),
    })
    rmSync(place, { recursive: true })
    return ran
  }

  it("hold where the command line says nothing", async () => {
    const { stderr, code } = await withFile('{"format": "srtt"}')
    assert.deepStrictEqual([code, /defaults\.json: There is no format "srtt"/.test(stderr)], [2, true])
    const { stdout } = await withFile('{"format": "vtt", "diarize": true}', "--dry-run", "--json")
    assert.match(stdout, /vtt/)
    for (const args of [["-fsrt"], ["--format=srt"], ["-o", "b.srt"]])
      assert.notMatch((await withFile('{"format": "srtt"}', "--dry-run", ...args)).stderr, /srtt/)
  })

  it("give way to the command line only in what it says", async () => {
    const { stdout } = await withFile('{"format": "srt"}', "-o", "-", "--quiet")
    assert.match(stdout, /^1\n00:00:0/)
    const plan = async (text: string, ...args: ReadonlyArray<string>) =>
      JSON.parse((await withFile(text, "--dry-run", "--json", ...args)).stdout)
    assert.match(JSON.stringify(await plan('{"format": "srt"}', "-o", "pp/")), /a\.srt/)
    assert.match(JSON.stringify(await plan('{"format": "srt"}', "-o", "b.vtt")), /b\.vtt/)
    for (const no of ["--channels", "--no-diarize", "--diarize=false"]) {
      const { code, stderr } = await withFile('{"diarize": true}', "--dry-run", no)
      assert.strictEqual(code, 0, stderr)
    }
    const wrong = await withFile("{}", "--no-keeep")
    assert.match(wrong.stderr, /has no option --no-keeep\. Did you mean --no-keep\?/)
  })

  it("send results to a folder, whether or not its name ends so", async () => {
    const { stdout, stderr } = await withFile('{"output": "texts"}', "--dry-run", "--json")
    assert.match(stdout, /texts\/a\.txt/, stderr)
  })

  it("name an engine, as --engine does", async () => {
    const { stderr, code } = await withFile('{"engine": "magic"}')
    assert.deepStrictEqual([code, /"engine" needs one of auto, sherpa, /.test(stderr)], [2, true], stderr)
    const key = '{"engine": "whisper"}'
    const served = await withFile(key, "--dry-run")
    assert.strictEqual(served.code, 0, served.stderr)
  })

  it("are explained by setup where nobody can answer", async () => {
    const place = mkdtempSync(join(tmpdir(), "earmark-setup-"))
    const { code, stdout, stderr } = await earmark(["setup"], "de\n", place, { XDG_CONFIG_HOME: place })
    assert.strictEqual(code, 2)
    assert.match(stderr, /Nothing was changed: earmark setup needs a terminal\./)
    for (const name of ["language", "format", "output"])
      assert.include(stdout, `defaults.json: {"${name}": "`)
    assert.deepStrictEqual(readdirSync(place), [])
    // A language that nothing here transcribes: it says how to get what does.
    mkdirSync(join(place, "earmark"))
    writeFileSync(join(place, "earmark/defaults.json"), '{"language": "de"}')
    const german = { XDG_CONFIG_HOME: place, EARMARK_MODELS_DIR: place }
    const told = await earmark(["setup"], "", place, german)
    assert.match(told.stdout, /^No speech engine here knows German \(de\)\. .*`earmark models pull parakeet/m)
    rmSync(place, { recursive: true })
  })

  it("are shown by the doctor", async () => {
    const place = mkdtempSync(join(tmpdir(), "earmark-defaults-"))
    mkdirSync(join(place, "earmark"))
    writeFileSync(join(place, "earmark/defaults.json"), '{"format": "srt"}')
    const { stdout } = await earmark(["doctor"], "", place, { XDG_CONFIG_HOME: place })
    rmSync(place, { recursive: true })
    assert.match(stdout, /^ok +defaults +format srt, from .*defaults\.json$/m)
  })

  it("are refused when they cannot be meant", async () => {
    for (const [text, sentence] of [
      ['{"formt": "srt"}', /unknown key "formt"; there are .*\. Did you mean format\?$/m],
      ['{"diarize": "yes"}', /"diarize" needs true or false\.$/m],
      ["[]", /is no JSON object/],
      ['{"language": "klingonese"}', /defaults\.json: .*klingonese/],
    ] as const) {
      const { code, stderr } = await withFile(text)
      assert.strictEqual(code, 2)
      assert.match(stderr, sentence)
    }
  })
})

describe("the command line itself", () => {
  it("prints help on standard output, and nothing else", async () => {
    const { code, stdout, stderr } = await earmark(["--help"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /Usage: earmark COMMAND/)
    for (const name of ["feed", "captions", "webhook"]) assert.include(stdout, name)
    assert.strictEqual(stderr, "")
  })

  it("prints the help of a command with examples", async () => {
    const { code, stdout } = await earmark(["webhook", "verify", "--help"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /Usage: earmark webhook verify/)
    assert.match(stdout, /Examples:\n {2}earmark webhook verify/)
  })

  it("prints its version", async () => {
    for (const option of ["--version", "-v"]) {
      const { code, stdout } = await earmark([option])
      assert.strictEqual(code, 0)
      assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
    }
  })

  it("takes help for a command", async () => {
    assert.strictEqual((await earmark(["help"])).stdout, (await earmark(["--help"])).stdout)
    const { code, stdout } = await earmark(["help", "webhook", "verify"])
    assert.strictEqual(code, 0)
    assert.strictEqual(stdout, (await earmark(["webhook", "verify", "--help"])).stdout)
  })

  it("takes the option for help before a command too", async () => {
    for (const [option, ...path] of [["--help", "jobs", "list"], ["-h", "feed"], ["--help"]] as const)
      assert.strictEqual(
        (await earmark([option, ...path])).stdout,
        (await earmark([...path, "--help"])).stdout,
      )
  })

  for (const [columns, widest] of [
    ["", 80],
    ["50", 50],
    ["nonsense", 80],
  ] as const) {
    it(`keeps help within ${widest} columns when COLUMNS is "${columns}"`, async () => {
      const { stdout } = await earmark(["captions", "--help"], "", undefined, { COLUMNS: columns })
      const text = stdout.slice(0, stdout.indexOf("Examples:"))
      assert.include(text, "--json")
      for (const line of text.split("\n")) assert.isAtMost(line.length, widest, line)
    })
  }

  it("means the file of almost that name, and the model, but never the next number", async () => {
    const tried: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [["captions", "READMME.md", "--to", "srt"], /there is no such file\. Did you mean README\.md\? Give/],
      [["feed", "./READMME.md"], /there is no such file\. Did you mean README\.md\? Give/],
      [
        ["transcribe", "examples/quickstart/museum.oga"],
        /Did you mean examples\/quickstart\/museum\.ogg\?$/m,
      ],
      [["transcribe", "docs/decisions/0033-a-run-is-its-results.m"], /Did you mean .*results\.md\?$/m],
      [["transcribe", "docs/decisions/0034-a-run-is-its-results.md"], /Check the path\.$/m],
      [["transcribe", "LICENSO/a.mp3"], /Check the path\.$/m],
      [["models", "pull", "silero-vda"], /Unknown model "silero-vda"; .*Did you mean silero-vad\?/],
    ]
    for (const [args, sentence] of tried) {
      const { code, stdout, stderr } = await earmark(args)
      assert.deepStrictEqual([code === 0, stdout], [false, ""])
      assert.match(stderr, sentence)
    }
  })

  const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
    [["fed"], /no command "fed"\. Did you mean feed\? earmark help lists them all\.$/m],
    [["talk.mp3"], /no command "talk\.mp3"\. To transcribe it: earmark transcribe talk\.mp3$/m],
    [["examples", "-o", "a.srt"], /To transcribe it: earmark transcribe examples$/m],
    [["https://a.example/it's one"], /: earmark transcribe 'https:\/\/a\.example\/it'\\''s one'$/m],
    [["transcribe", "a.mp3", "-fsrtt"], /no format "srtt"; .* Did you mean srt\?/],
    [["transcribe", "a.mp3", "-jmany"], /--?j[obs]* needs a whole number, not "many"/],
    [["transcribe", "a.mp3", "-f=srt", "-fvtt"], /--format is given twice/],
    [["transcribe", "a.mp3", "-fsrt", "-xyz"], /no option -xyz\./],
    [["transcribe", "a.mp3", "-o", "a.txt", "--output", "b.txt"], /--output is given twice/],
    [["jobs", "list", "--local", "-q", "a", "--query", "b"], /--query is given twice/],
    [["captions", "a.vtt", "-f", "srt", "-o", "--lint"], /-o needs a value after it/],
    [["xyzzy"], /no command "xyzzy"\. earmark help lists them all\.$/m],
    [["webhooks", "create"], /no command "create"\. Did you mean add\? See earmark webhooks --help/],
    [["keys", "add"], /no command "add"\. Did you mean create\?/],
    [["accounts", "add"], /no command "add"\. Did you mean create\?/],
    [["accounts", "create"], /accounts create needs --name or --email\./],
    [["--versio"], /earmark has no option --versio\. Did you mean --version\?/],
    [["--completion", "bash"], /earmark has no option --completion\. Did you mean --completions\?/],
    [["keys", "--jso"], /earmark keys has no option --jso\. /],
    [["webhook", "verfy"], /no command "verfy".*Did you mean verify\?/],
    [["feed"], /needs <source>/],
    [["feed", "wach", "a.xml"], /does not take "a\.xml"\. Did you mean earmark feed watch\? See/],
    [["feed", "a.xml", "watch"], /does not take "watch"\. Did you mean earmark feed watch\? See/],
    [["captions", "a.vtt", "-o", "a.srtt"], /no ending that names a format\. Did you mean srt\?/],
    [["transcribe", "a.mp3", "-o", "a.srtt"], /Unknown format \.srtt\. .* Did you mean \.srt\?/],
    [["--completions", "fis"], /not "fis"\. Did you mean fish\?/],
    [["feed", "a.xml", "b.xml"], /does not take "b.xml"/],
    [["feed", "--limt", "3", "a.xml"], /no option --limt\. Did you mean --limit\?/],
    [["feed", "a.xml", "--limit", "many"], /--limit needs a whole number, not "many"/],
    [["feed", "a.xml", "--limit=1.5"], /--limit needs a whole number, not "1\.5"/],
    [["feed", "a.xml", "--limit", "0"], /--limit must be 1 or more: [^.]*got 0\./],
    [["feed", "a.xml", "--limit", "-3"], /--limit must be 1 or more: [^.]*got -3\./],
    [["feed", "a.xml", "--json", "--json"], /--json is given twice/],
    [["feed", "a.xml", "--limit", "1", "--limit", "2"], /--limit is given twice/],
    [["feed", ""], /The name of the file is empty\. Give the path of a file/],
    [["--wizard"], /no option --wizard/],
    [["feed", "--wizard"], /no option --wizard/],
    [["--log-level", "debug", "feed", "a.xml"], /no option --log-level/],
    [["--completions", "tcsh"], /--completions knows the shells bash, zsh, fish, not "tcsh"/],
    [["help", "fed"], /no command "fed".*Did you mean feed\?/],
    [["webhook", "verify", "--secret", "", "--header", "t=1,v1=a"], /--secret is empty/],
    [
      ["webhook", "verify", "--secret", "a", "--header", "t=1,v1=a", "--tolerance", "-1"],
      /--tolerance must be 0 or more/,
    ],
    [["captions", "a.vtt", "--to", "srt", "--json"], /--json goes with --lint/],
    [["feed", "a.xml", "--limit"], /--limit needs a value/],
    [["webhook", "verify", "--header", "t=1,v1=a"], /needs --secret/],
    [["transcribe", "a.mp3", "-j"], /-j needs a value after it/],
    [["transcribe", "a.mp3", "--jobs"], /--jobs needs a value after it/],
    [["login", "transcripts.example"], /Did you mean https:\/\/transcripts\.example\?/],
    [["login", "localhost:8787"], /Did you mean http:\/\/localhost:8787\?/],
    [["feed", "https://a.example/", "--local", "--server", "https://b.example"], /not both/],
    [
      ["feed", "a.xml", "--server", "https://b.example"],
      /A server reads feeds at addresses, and this is a file/,
    ],
  ]
  for (const [args, message] of wrong) {
    it(`answers "earmark ${args.join(" ")}" with one sentence and exit code 2`, async () => {
      const { code, stdout, stderr } = await earmark(args)
      assert.strictEqual(code, 2)
      assert.strictEqual(stdout, "")
      assert.match(stderr, oneSentence)
      assert.match(stderr, message)
    })
  }
})
