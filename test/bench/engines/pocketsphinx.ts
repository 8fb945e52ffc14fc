import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism, loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { compareTexts } from "@earmark/core/text"
import { DEFAULT_MODEL, layer } from "@earmark/engines/pocketsphinx"
import { type AudioWindow, SpeechEngine } from "@earmark/service"
import { samplesOfWav, shareWithin, spokenBy, spokenSentences, startErrors } from "@earmark/testkit"
import { Effect, Either } from "effect"
import { compareOn, utterances } from "../../e2e/utterances.js"
import { absolute, atLeast, atMost, type Outcome, sized, smokeFlags } from "../harness.js"

type Quality = "fast" | "accurate"

const VOICES = (["rms", "awb", "slt"] as const).slice(0, sized(3, 1))
const sentences = spokenSentences.slice(0, sized(spokenSentences.length, 2))
const RATE = 16
const folder = fileURLToPath(new URL("engines-speech/", import.meta.url))
const idOf = (voice: string, at: number) => `${voice}-${at}`

/** The sentences in every voice, as files of bare samples; made once. */
const synthesise = (): ReadonlyArray<string> => {
  mkdirSync(folder, { recursive: true })
  const ids: Array<string> = []
  for (const voice of VOICES) {
    sentences.forEach((sentence, at) => {
      const id = idOf(voice, at)
      ids.push(id)
      const file = `${folder}${id}.raw`
      if (!existsSync(file)) writeFileSync(file, Buffer.from(spokenBy(voice, sentence).buffer))
    })
  }
  return ids
}

const readWindow = (id: string): AudioWindow => {
  const bytes = readFileSync(`${folder}${id}.raw`)
  const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  return { index: 0, start: 0, end: Math.floor(samples.length / RATE), samples }
}

const hearAll = (windows: ReadonlyArray<AudioWindow>, quality: Quality, workers: number) =>
  Effect.gen(function* () {
    const { recognize } = yield* SpeechEngine
    return yield* Effect.forEach(
      windows,
      (window) => recognize(window, { language: "en", quality, vocabulary: [] }),
      { concurrency: workers },
    )
  }).pipe(Effect.provide(layer({ workers })), Effect.runPromise)

/** Every sentence through the pool: words by id. */
export const heard = async (quality = "fast", workers = "1") => {
  const ids = synthesise()
  const found = await hearAll(ids.map(readWindow), quality === "fast" ? "fast" : "accurate", Number(workers))
  return Object.fromEntries(
    ids.map((id, at) => [id, found[at]?.words.map(({ text }) => text).join(" ") ?? ""]),
  )
}

/** What the process itself costs, with nothing to hear. */
export const starting = async () => synthesise().map(readWindow).length

interface Used {
  readonly cpu: number
  readonly wall: number
  readonly said: string
}

/** Seconds of a command with all of its children. */
const used = (command: string, ...args: ReadonlyArray<string>): Used => {
  const timing = 'TIMEFORMAT="%U %S %R"; time "$@"'
  const child = spawnSync("bash", ["-c", timing, "bash", command, ...args], {
    encoding: "utf8",
    timeout: 600_000,
  })
  const [user = 0, system = 0, wall = 0] = (child.stderr.trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number)
  if (child.status !== 0) throw new Error(`${command} failed: ${child.stderr.slice(-2000)}`)
  return { cpu: user + system, wall, said: child.stdout }
}

const self = (...args: ReadonlyArray<string>) =>
  used(process.execPath, fileURLToPath(import.meta.url), "--task", ...args, ...smokeFlags)

const flagsOf = (quality: Quality) => (quality === "fast" ? ["-maxhmmpf", "5000", "-fwdflat", "no"] : [])

/** The engine alone on the same spans, in as many processes at once: one core's neighbour slows it down here as well as there. */
const bare = (ids: ReadonlyArray<string>, quality: Quality, workers: number): Used => {
  const lists = Array.from({ length: workers }, (_, worker) => {
    const list = `${folder}list-${worker}`
    writeFileSync(list, `${ids.filter((_, at) => at % workers === worker).join("\n")}\n`)
    return list
  })
  const args = [
    ...["-hmm", `${DEFAULT_MODEL}/en-us`, "-lm", `${DEFAULT_MODEL}/en-us.lm.bin`],
    ...["-dict", `${DEFAULT_MODEL}/cmudict-en-us.dict`, "-cepdir", folder, "-cepext", ".raw"],
    ...["-adcin", "yes", "-remove_silence", "no", "-logfn", "/dev/null", "-ctm", "/dev/null"],
    ...flagsOf(quality),
  ]
  const each = 'lists=$1; shift; for list in $lists; do pocketsphinx_batch -ctl "$list" "$@" & done; wait'
  return used("bash", "-c", each, "bash", lists.join(" "), ...args)
}

const errorRate = (said: string): { readonly rate: number; readonly words: number } => {
  const { result } = JSON.parse(said.trim().split("\n").at(-1) ?? "{}")
  let errors = 0
  let words = 0
  for (const voice of VOICES) {
    sentences.forEach((sentence, at) => {
      const counts = Either.getOrThrow(compareTexts(sentence, result[idOf(voice, at)] ?? "")).words
      errors += counts.substitutions + counts.deletions + counts.insertions
      words += counts.reference
    })
  }
  return { rate: errors / words, words }
}

const corpus = "../shared/corpus/speech/librivox/"

interface Aligned {
  readonly w: ReadonlyArray<{ readonly b: number; readonly t: string }>
}

/** Words that start within a tenth of a second of where a forced alignment has them; null where the recordings are not there. */
const startsWithin = async (): Promise<Outcome | null> => {
  if (!existsSync(corpus)) return null
  const all = readdirSync(corpus).filter((name) => name.endsWith(".wav"))
  const names = all.slice(0, sized(all.length, 1))
  const windows = names.map((name) => {
    const samples = samplesOfWav(readFileSync(`${corpus}${name}`))
    return { index: 0, start: 0, end: Math.floor(samples.length / RATE), samples }
  })
  const found = await hearAll(windows, "accurate", 1)
  const errors = names.flatMap((name, at) => {
    const { w }: Aligned = JSON.parse(readFileSync(`${corpus}${name.replace(".wav", ".json")}`, "utf8"))
    const reference = w
      .filter(({ t }) => !/^[<[+]/.test(t))
      .map(({ b, t }) => ({ text: t.replace(/\(\d+\)$/, ""), start: b * 1000 }))
    return startErrors(reference, found[at]?.words ?? [])
  })
  const share = shareWithin(errors, 100)
  return absolute(
    `word starts within 100 ms, share of ${errors.length} right words`,
    share,
    ">= 0.9",
    share >= 0.9,
  )
}

/** People, from the file on and by the engine alone; nothing where the recordings are not there. */
const peopleHeard = async (): Promise<ReadonlyArray<Outcome>> => {
  const all = utterances(process.cwd())
  const given = all.slice(-sized(all.length, 1))
  if (given.length === 0) {
    console.error("no recordings of people here: their word error rate is not measured")
    return []
  }
  const { words, bare, pipeline } = await Effect.runPromise(compareOn(given))
  const bench = `accurate: word error rate of ${words} words of people`
  const bar = "<= the engine alone"
  return [
    {
      ...absolute(bench, pipeline, bar, pipeline <= bare),
      rival: bare,
      rivalName: "the engine alone",
      ratio: pipeline / bare,
    },
  ]
}

const ROUNDS = sized(3, 1)

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN

/** In turn, and each first as often as the other: a slow spell of the machine hits both. The process that does nothing is taken off. */
const rounds = (ids: ReadonlyArray<string>, quality: Quality, workers: number) =>
  Array.from({ length: ROUNDS }, (_, round) => {
    const isFirst = round % 2 === 0
    const before = isFirst ? null : bare(ids, quality, workers)
    const idle = self("starting").cpu
    const ours = self("heard", quality, `${workers}`)
    return { ours: ours.cpu - idle, theirs: (before ?? bare(ids, quality, workers)).cpu, said: ours.said }
  })

const QUALITIES = (["fast", "accurate"] as const).slice(0, sized(2, 1))
const SPEED = { fast: 12, accurate: 9 } as const
const OVERHEAD = 1.05
const SCALING = 1.9
const ERRORS = 0.1

export const pocketsphinx = async (): Promise<ReadonlyArray<Outcome>> => {
  const ids = synthesise()
  const seconds = ids.reduce((sum, id) => sum + readWindow(id).end / 1000, 0)
  const [load = 0] = loadavg()
  console.error(`${ids.length} spans, ${seconds.toFixed(0)} s of speech; load average ${load.toFixed(2)}`)
  const workers = availableParallelism()
  const outcomes: Array<Outcome> = []
  for (const quality of QUALITIES) {
    const measured = rounds(ids, quality, workers)
    const cpu = median(measured.map(({ ours }) => ours))
    const theirs = median(measured.map((round) => round.theirs))
    const ratio = median(measured.map((round) => round.ours / round.theirs))
    const speed = seconds / cpu
    const { rate, words } = errorRate(measured[0]?.said ?? "")
    const bar = SPEED[quality]
    const overhead = absolute(
      `${quality}: CPU seconds in a pool of ${workers}, median of ${ROUNDS}`,
      cpu,
      `<= ${OVERHEAD}x`,
      ratio <= OVERHEAD,
    )
    outcomes.push(
      atLeast(`${quality}: times real time per core`, speed, bar),
      { ...overhead, rival: theirs, rivalName: "pocketsphinx_batch alone, as many at once", ratio },
      atMost(`${quality}: word error rate of ${words} words`, rate, ERRORS),
    )
  }
  const one = self("heard", "fast", "1").wall
  const two = self("heard", "fast", "2").wall
  outcomes.push(
    absolute(
      `2 workers against 1 (load ${load.toFixed(1)})`,
      one / two,
      `>= ${SCALING}`,
      one / two >= SCALING,
    ),
  )
  outcomes.push(...(await peopleHeard()))
  const starts = await startsWithin()
  if (starts === null) console.error("no recordings with alignments here: word starts are not measured")
  return starts === null ? outcomes : [...outcomes, starts]
}
