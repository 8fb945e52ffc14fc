// How well each engine hears that can be run here, how fast, and in how much memory. With `--write` the tables go into the docs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { main, type Outcome, sized, smokeFlags } from "./harness.js"
import {
  cut,
  engineNames,
  hasBare,
  hearBare,
  type Listened,
  listen,
  type Order,
} from "./hearing/listening.js"
import { type Used, watched } from "./hearing/processes.js"
import { gather, type Spoken } from "./hearing/recordings.js"
import { type Measured, outcomesOf, type Speed, scoresOf } from "./hearing/scores.js"
import { PAGE, pageWith } from "./hearing/tables.js"

const ROUNDS = sized(2, 1)

const self = (...args: ReadonlyArray<string>): Promise<Used> =>
  watched(process.execPath, fileURLToPath(import.meta.url), "--task", ...args, ...smokeFlags)

const resultOf = ({ said }: Used): unknown => JSON.parse(said).result

const isListened = (value: unknown): value is Listened =>
  typeof value === "object" && value !== null && "found" in value

const listenedOf = (used: Used): Listened => {
  const result = resultOf(used)
  if (!isListened(result)) throw new Error("The child heard nothing")
  return result
}

/** In turn, and the least of each: a slow spell of the machine hits both. */
const speedOf = async (name: string, list: string): Promise<Speed> => {
  const count = hasBare(name) ? String(resultOf(await self("cut", name, list))) : "0"
  let best: Used | null = null
  let bare: number | null = null
  for (let round = 0; round < ROUNDS; round++) {
    const whole = await self("listen", name, list)
    if (best === null || whole.cpu < best.cpu) best = whole
    if (!hasBare(name)) continue
    const alone = (await self("hearBare", name, list, count)).cpu
    bare = bare === null ? alone : Math.min(bare, alone)
  }
  if (best === null) throw new Error("Nothing was measured")
  const { found, pause } = listenedOf(best)
  const seconds = found.reduce((sum, each) => sum + each.seconds, 0)
  const { cpu, engineMb, othersMb } = best
  return { seconds, cpu, bare, engineMb, othersMb, pause }
}

const measure = async (folder: string, recordings: ReadonlyArray<Spoken>, long: string) => {
  const listFor = (name: string, orders: ReadonlyArray<Order>) => {
    const list = join(folder, name)
    writeFileSync(list, JSON.stringify(orders))
    return list
  }
  const all = listFor(
    "all.json",
    recordings.map(({ path, turns }) => ({ path, diarize: turns !== null })),
  )
  const one = (name: string) => listFor(`${name}.json`, [{ path: long, diarize: false }])
  const present = engineNames()
  const names = present.slice(0, sized(present.length, 1))
  const heard = await Promise.all(names.map((name) => self("listen", name, all)))
  const engines: Array<Measured> = []
  // One after the other: what is measured now is time.
  for (const [at, name] of names.entries()) {
    const used = heard[at]
    if (used === undefined) continue
    const { found } = listenedOf(used)
    engines.push({ name, scores: scoresOf(recordings, found), speed: await speedOf(name, one(name)) })
  }
  return engines
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-hearing-"))
  try {
    const { recordings, long } = gather(folder)
    const engines = await measure(folder, recordings, long)
    if (process.argv.includes("--write")) {
      const day = new Date().toISOString().slice(0, 10)
      writeFileSync(PAGE, pageWith(readFileSync(PAGE, "utf8"), engines, day))
    }
    return engines.flatMap(outcomesOf)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await main({ tasks: { listen, cut, hearBare }, run })
