import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Episode, type FeedOptions, feedReader } from "@earmark/core/feeds"
import { podcastEpisodes, rssFeed } from "@earmark/testkit"
import * as Either from "effect/Either"
import { worstHostile } from "./feeds/hostile.js"
import { type Listed, loadRival, rivalNames } from "./feeds/rivals.js"
import { atMost, inChild, least, main, type Outcome, sized } from "./harness.js"

/**
 * Everything runs in a process of its own, from the bytes in a file to the list, without the loading of the library.
 * "warm" is the least CPU of several readings, as in a server; "cold" is the first one, as in a command.
 * The bars stand on warm, as in a service; cold is held to the same for a whole list.
 */
const ROUNDS = sized(3, 1)
const MANY = sized(10_000, 200)
const NOW = Date.UTC(2026, 10, 20)
const MODES: Readonly<Record<string, Partial<FeedOptions>>> = {
  list: {},
  newest: { newest: 20 },
  details: { details: true },
}

const CHUNK = 256 * 1024

/** Reads a file as a download comes in: piece by piece. */
const readOurs = (file: string, mode: string) => {
  const reader = feedReader({ now: NOW, ...MODES[mode] })
  const descriptor = openSync(file, "r")
  const buffer = Buffer.allocUnsafe(CHUNK)
  for (;;) {
    const count = readSync(descriptor, buffer, 0, CHUNK, null)
    if (count === 0) break
    reader.push(buffer.subarray(0, count))
  }
  closeSync(descriptor)
  return Either.getOrThrow(reader.end())
}

const listedOf = (episode: Episode): Listed => ({
  title: episode.title,
  guid: episode.guid,
  publishedAt: episode.publishedAt,
  durationSeconds: episode.durationSeconds,
  audioUrl: episode.audioUrl,
  index: episode.index,
  link: episode.link,
  image: episode.image,
  transcripts: episode.transcripts.map(({ url, type, language }) => ({ url, type, language })),
})

interface Measured {
  readonly coldMs: number
  readonly warmMs: number
  readonly episodes: number
}

const measure = async (rounds: number, reading: () => Promise<number> | number): Promise<Measured> => {
  const times: Array<number> = []
  let episodes = 0
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.()
    const before = process.cpuUsage()
    episodes = await reading()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return { coldMs: times[0] ?? 0, warmMs: least(times), episodes }
}

const tasks = {
  ours: (mode = "", file = "", rounds = "") => measure(Number(rounds), () => readOurs(file, mode).total),
  rival: async (name = "", file = "", rounds = "") => {
    const rival = await loadRival(name)
    return measure(Number(rounds), async () => (await rival.parse(readFileSync(file, "utf8"))).length)
  },
  oursListed: (file = "", rounds = "") =>
    measure(Number(rounds), () => readOurs(file, "list").episodes.map(listedOf).length),
  rivalListed: async (name = "", file = "", rounds = "") => {
    const rival = await loadRival(name)
    return measure(
      Number(rounds),
      async () => (await rival.parse(readFileSync(file, "utf8"))).map(rival.listed).length,
    )
  },
  /** The first and the last record of a contender, to see that all make the same. */
  sample: async (name = "", file = "") => {
    if (name === "ours") return readOurs(file, "list").episodes.map(listedOf).filter(isSample)
    const rival = await loadRival(name)
    return (await rival.parse(readFileSync(file, "utf8"))).map(rival.listed).filter(isSample)
  },
  hostile: () => worstHostile(NOW),
}

const isSample = (_: unknown, place: number) => place % 997 === 0

const asMeasured = (result: unknown): Measured => result as Measured

const writeFeed = (file: string, episodes: number, notes: "cdata" | "escaped") => {
  const descriptor = openSync(file, "w")
  for (const piece of rssFeed(podcastEpisodes(episodes), { notes })) writeSync(descriptor, piece)
  closeSync(descriptor)
}

const against = (
  bench: string,
  bar: number,
  ours: number,
  others: Readonly<Record<string, number>>,
): Outcome => {
  const [rivalName, rival] = Object.entries(others).reduce((best, next) => (next[1] < best[1] ? next : best))
  const ratio = ours / rival
  return { bench, ours, rival, rivalName, ratio, bar: `<= ${bar}`, pass: ratio <= bar }
}

const within = (bench: string, unit: string, bar: number, ours: number): Outcome =>
  atMost(bench, ours, bar, ` ${unit}`)

const each = <Value>(value: (name: string) => Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(rivalNames.map((name) => [name, value(name)]))
const mapped = <From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

const raceOn = (file: string, label: string): ReadonlyArray<Outcome> => {
  const run = (mode: string) => asMeasured(inChild("ours", mode, file, String(ROUNDS)).result)
  const first = run("list")
  const others = each((name) => asMeasured(inChild("rival", name, file, String(ROUNDS)).result))
  const second = run("list")
  const newest = run("newest")
  const cold = mapped(others, ({ coldMs }) => coldMs)
  const warm = mapped(others, ({ warmMs }) => warmMs)
  return [
    against(`feeds: list of 10,000, ${label}, warm CPU ms`, 0.15, least([first.warmMs, second.warmMs]), warm),
    against(`feeds: list of 10,000, ${label}, cold CPU ms`, 0.35, least([first.coldMs, second.coldMs]), cold),
    against(`feeds: newest 20 of 10,000, ${label}, warm CPU ms`, 0.08, newest.warmMs, warm),
  ]
}

/** Every field of an episode in the episode list of the API, the same record made by everyone who can. */
const raceOfRecords = (file: string): ReadonlyArray<Outcome> => {
  const expected = JSON.stringify(inChild("sample", "ours", file).result)
  const equal = rivalNames.filter((name) => JSON.stringify(inChild("sample", name, file).result) === expected)
  const ours = asMeasured(inChild("oursListed", file, String(ROUNDS)).result)
  const others = mapped(
    each((name) => asMeasured(inChild("rivalListed", name, file, String(ROUNDS)).result)),
    ({ warmMs }) => warmMs,
  )
  return [
    against("feeds: 10,000 full list records, warm CPU ms", 0.5, ours.warmMs, others),
    {
      ...within("feeds: rivals that make the same records", "", rivalNames.length, equal.length),
      bar: ">= 3",
      pass: equal.length >= 3,
    },
  ]
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-feeds-"))
  try {
    const file = (name: string) => join(folder, `${name}.xml`)
    writeFeed(file("cdata"), MANY, "cdata")
    writeFeed(file("escaped"), MANY, "escaped")
    const races = [
      ...raceOn(file("cdata"), "CDATA"),
      ...raceOn(file("escaped"), "escaped"),
      ...raceOfRecords(file("cdata")),
    ]
    const peak = (mode: string, name: string) => inChild("ours", mode, file(name), "1").peakMb
    const small = [
      within("feeds: list of 10,000, peak MB", "MB", 120, peak("list", "cdata")),
      within("feeds: newest 20 of 10,000, peak MB", "MB", 120, peak("newest", "cdata")),
    ]
    rmSync(file("escaped"))
    writeFeed(file("large"), 5 * MANY, "cdata")
    return [
      ...races,
      ...small,
      within("feeds: list of 50,000, peak MB", "MB", 140, peak("list", "large")),
      within("feeds: worst hostile input, CPU s for 10 MB", "s", 1, Number(inChild("hostile").result)),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await main({ tasks, run })
