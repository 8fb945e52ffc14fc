import { spawnSync } from "node:child_process"
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { alignUnits } from "@earmark/core/text"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { because } from "../servers/because.js"
import { hearingModels } from "../servers/hearingModels.js"
import { bin } from "./earmark.js"
import { cannotHear, museum, museumTurns, wordsOf } from "./recordings.js"
import { keptWindows, startIn, until } from "./started.js"
import { makeWorlds } from "./worlds.js"

const { world: worldOf, close, place } = makeWorlds("channels-e2e")
afterAll(close)

let models: string | null = null
beforeAll(async () => {
  models = await hearingModels()
})

/** When the first of the two speaks in the recording, in seconds. */
const FIRST = "between(t,0,5.25)+between(t,10.8,16.7)+between(t,22.1,31)"

/** The recording with a channel for each of the two, and so much of the other one in it; so many times over. */
const made = (name: string, bleed: number | null, times = 1): string => {
  const path = join(place, name)
  const gain = bleed === null ? 0 : 10 ** (bleed / 20)
  const channel = (own: number, other: number) => `volume=eval=frame:volume='if(${FIRST},${own},${other})'`
  const filter = [
    "[0]aresample=16000,aformat=channel_layouts=mono,asplit=2[a][b]",
    `[a]${channel(1, gain)}[one];[b]${channel(gain, 1)}[two]`,
    "[one][two]amerge=inputs=2[both]",
    `[both]aloop=loop=${times - 1}:size=2e9[all]`,
  ].join(";")
  const run = spawnSync("ffmpeg", [
    "-v",
    "error",
    "-y",
    "-i",
    museum,
    "-filter_complex",
    filter,
    "-map",
    "[all]",
    path,
  ])
  if (run.status !== 0) throw new Error(String(run.stderr))
  return path
}

const world = (environment: Readonly<Record<string, string>> = {}) =>
  worldOf({ EARMARK_ENGINE: "auto", EARMARK_LIBRARY: "off", ...environment })

/** What each of the two says, in turns. */
const turns = museumTurns.map((text, at) => ({ speaker: `Speaker ${(at % 2) + 1}`, text }))

/** What the text says of one speaker. */
const saidBy = (speaker: string, lines: ReadonlyArray<{ readonly speaker: string; readonly text: string }>) =>
  lines.flatMap((line) => (line.speaker === speaker ? wordsOf(line.text) : []))

/** Lines of plain text, each with its speaker: the label stands before the first of several. */
const linesOf = (text: string) => {
  let speaker = ""
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, label, rest = ""] = /^(Speaker \d+): (.*)$/.exec(line) ?? [null, undefined, line]
      speaker = label ?? speaker
      return { speaker, text: rest }
    })
}

describe.skipIf(cannotHear !== null)(`channels as speakers${because(cannotHear)}`, () => {
  for (const bleed of [null, -20, -25, -30])
    it(`each channel is one speaker, with ${bleed ?? "no"} dB of the other one in it`, async ({ skip }) => {
      if (models === null) return skip()
      const { run } = world({ EARMARK_MODELS_DIR: models })
      const { code, stdout, stderr } = await run(made(`bleed${bleed ?? ""}.wav`, bleed), "--channels")
      assert.strictEqual(code, 0, stderr)
      const lines = linesOf(stdout)
      assert.deepStrictEqual(
        lines.map(({ speaker }) => speaker).filter((speaker, at, all) => speaker !== all[at - 1]),
        turns.map(({ speaker }) => speaker),
      )
      for (const speaker of ["Speaker 1", "Speaker 2"]) {
        const [said, heard] = [saidBy(speaker, turns), saidBy(speaker, lines)]
        const wrong = Either.getOrThrow(alignUnits(said, heard)).filter(({ kind }) => kind !== "hit")
        assert.isAtMost(wrong.length, 2, `${speaker}: ${heard.join(" ")}`)
      }
      assert.notMatch(stderr, /doubtful|without words/)
    })

  it("a part of it has its own times, and speakers keep the number of their channel", async ({ skip }) => {
    if (models === null) return skip()
    const { run } = world({ EARMARK_MODELS_DIR: models })
    const path = made("part.wav", -25)
    const { code, stdout, stderr } = await run(
      path,
      "--channels",
      "--start",
      "5.3",
      "--end",
      "16",
      "-f",
      "srt",
    )
    assert.strictEqual(code, 0, stderr)
    const [first] = stdout.split("\n\n")
    assert.match(first ?? "", /^1\n00:00:05,\d+ --> .*\nSpeaker 2: Thank you/)
    assert.match(stdout, /Speaker 1: The old books/)
    assert.notMatch(stdout, /museum|rules/)
  })

  it("one channel, or the same in both: heard once, with a warning in the line and in the record", async () => {
    const twice = join(place, "twice.wav")
    spawnSync("ffmpeg", ["-v", "error", "-y", "-i", museum, "-ac", "2", twice])
    const { run } = world({ EARMARK_ENGINE: "scripted" })
    for (const path of [museum, twice]) {
      const { code, stdout, stderr } = await run(
        path,
        "--channels",
        "--json",
        "-o",
        `${join(place, "alike")}.txt`,
        "--force",
      )
      assert.strictEqual(code, 0, stderr)
      // What a warning means is explained once; the line of each result names it.
      assert.match(stderr, /channels alike/)
      const record: unknown = JSON.parse(stdout)
      assert.nestedInclude(record, { status: "done", speakers: 0 })
      assert.include(stdout, '"channels_alike"')
    }
  })

  it("is refused beside --diarize and --speakers, with a server, and in lists with their line", async () => {
    const { run, folder } = world({ EARMARK_ENGINE: "scripted", SERVICE_API_KEY: "sk_live_000000000000" })
    for (const other of [["--diarize"], ["--speakers", "2"]]) {
      const { code, stderr } = await run(museum, "--channels", ...other)
      assert.strictEqual(code, 2)
      assert.match(
        stderr,
        /--channels takes each channel for one person, and --diarize and a number of --speakers tell/,
      )
    }
    const served = await run(museum, "--channels", "--server", "http://127.0.0.1:9")
    assert.strictEqual(served.code, 2)
    assert.match(served.stderr, /--channels is for this machine/)
    const listed = join(folder, "list.jsonl")
    writeFileSync(listed, `{"source": "${museum}", "channels": true, "diarize": true}\n`)
    const { code, stderr } = await run("--from", listed)
    assert.strictEqual(code, 2)
    assert.match(stderr, /Line 1 of .*--channels takes each channel/)
  })

  it("is asked for again when a failed recording is tried again", async () => {
    const { run, command, folder, read } = world({
      EARMARK_ENGINE: "scripted",
      EARMARK_LIBRARY: "on",
      XDG_DATA_HOME: join(place, "data"),
    })
    writeFileSync(join(folder, "call.wav"), "no sound at all")
    assert.strictEqual((await run("call.wav", "--channels", "-o", "call.txt")).code, 1)
    copyFileSync(made("again.wav", null), join(folder, "call.wav"))
    const [, id = ""] = /(tr_\w+)/.exec((await command("jobs", "list", "--json")).stdout) ?? []
    const { code, stderr } = await command("jobs", "retry", id)
    assert.strictEqual(code, 0, stderr)
    assert.match(read("call.txt"), /^Speaker [12]: /)
    assert.match(read("call.txt"), /^Speaker 2: /m)
  })

  it("killed half way, it hears no window again, and ends with the same text", async () => {
    const path = made("long.wav", null, 8)
    const { run, folder, set } = world({ EARMARK_ENGINE: "scripted" })
    const whole = await run(path, "--channels", "--quiet")
    assert.strictEqual(whole.code, 0, whole.stderr)
    const state = set.XDG_STATE_HOME ?? ""
    const unfinished = join(state, "earmark", "unfinished")
    const kept = () => keptWindows(unfinished)
    const slow = { ...set, EARMARK_SCRIPTED: "delay=250" }
    const command = [bin, "transcribe", path, "--channels", "-o", "long.txt"]
    const first = startIn(folder, slow, process.execPath, command)
    await until(() => kept().length >= 8, "the eighth window", first)
    first.stop("SIGKILL")
    await first.ended
    const before = kept()
    assert.isTrue(before.some((index) => index % 2 === 0) && before.some((index) => index % 2 === 1))
    const second = startIn(folder, slow, process.execPath, command)
    await until(() => kept().length >= before.length + 4, "four more windows", second)
    const after = kept()
    assert.strictEqual(new Set(after).size, after.length)
    assert.strictEqual(await second.ended, 0, second.output())
    assert.include(second.output(), "going on with what an earlier run has heard")
    assert.strictEqual(readFileSync(join(folder, "long.txt"), "utf8"), whole.stdout)
    assert.deepStrictEqual(readdirSync(unfinished), [])
  })
})
