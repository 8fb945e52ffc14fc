import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** One line of a bench: our figure beside the rival's, measured in the same run. */
export interface Outcome {
  readonly bench: string
  readonly ours: number
  readonly rival: number | null
  readonly rivalName: string | null
  /** ours / rival for costs (`<=` bars), rival / ours for speeds (`>=` bars); null when the bar is absolute. */
  readonly ratio: number | null
  readonly bar: string
  readonly pass: boolean
}

/** A line whose bar is a figure of its own. */
export const absolute = (bench: string, ours: number, bar: string, pass: boolean): Outcome => ({
  ...{ bench, ours, bar, pass },
  ...{ rival: null, rivalName: null, ratio: null },
})

/** The same where the bar is the most, or the least, that it may be. */
export const atMost = (bench: string, ours: number, most: number, unit = ""): Outcome =>
  absolute(bench, ours, `<= ${most.toLocaleString("en")}${unit}`, ours <= most)
export const atLeast = (bench: string, ours: number, least: number, unit = ""): Outcome =>
  absolute(bench, ours, `>= ${least.toLocaleString("en")}${unit}`, ours >= least)

/** A line that has no bar. */
export const published = (bench: string, ours: number): Outcome => absolute(bench, ours, "published", true)

/** What a child process used for one task. */
export interface Usage {
  readonly cpuMs: number
  readonly peakMb: number
  /** Whatever the task returned. */
  readonly result: unknown
}

type Task = (...args: ReadonlyArray<string>) => unknown

const TASK = "--task"
const SMOKE = "--smoke"
/** Whether this run only shows that the bench runs. */
export const isSmoke = process.argv.includes(SMOKE)

/** How many of something a bench takes. A smoke run (`--smoke`) takes few: it shows that the bench runs, and no bar counts. */
export const sized = (full: number, smoke: number): number => (isSmoke ? smoke : full)

/** What a bench hands to its own processes. */
export const smokeFlags: ReadonlyArray<string> = isSmoke ? [SMOKE] : []

/** The best (least) of several runs. One slow run on a busy machine says nothing. */
export const least = (values: ReadonlyArray<number>): number => Math.min(...values)

/** Wall milliseconds of one call, after a collection so that nobody pays for the garbage of another. */
export const timed = (task: () => unknown): number => {
  globalThis.gc?.()
  const started = performance.now()
  task()
  return performance.now() - started
}

/** Processor milliseconds of one call: on a busy machine the clock on the wall mostly measures the others. */
export const processorTimed = (task: () => unknown): number => {
  globalThis.gc?.()
  const before = process.cpuUsage()
  task()
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1000
}

/**
 * Runs the contenders in turn, A B C A B C ..., so that a slow spell of the machine hits all of them,
 * and answers the least time of each.
 */
export const race = <Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
  rounds: number,
  measure: (task: () => unknown) => number = timed,
): Readonly<Record<Name, number>> => {
  const names = Object.keys(contenders) as Array<Name>
  const times = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<
    Name,
    number
  >
  for (let round = 0; round < sized(rounds, 1); round++) {
    for (const name of names) times[name] = Math.min(times[name], measure(contenders[name]))
  }
  return times
}

/** The quickest of the rivals: the one that a bar speaks of. */
export const fastest = (times: Readonly<Record<string, number>>, ours: string): readonly [string, number] => {
  const rivals = Object.entries(times).filter(([name]) => name !== ours)
  return rivals.reduce((best, next) => (next[1] < best[1] ? next : best))
}

/** Runs one named task of this bench in a process of its own: start-up, memory and garbage are its own. */
export const inChild = (name: string, ...args: ReadonlyArray<string>): Usage => {
  const child = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), TASK, name, ...args, ...smokeFlags],
    {
      encoding: "utf8",
      maxBuffer: 256 * 1024 * 1024,
      timeout: 300_000,
    },
  )
  const line = child.stdout.trim().split("\n").at(-1) ?? ""
  if (child.status !== 0) throw new Error(`${name} failed: ${child.stderr.slice(-2000)}`)
  return JSON.parse(line) as Usage
}

const runTask = async (task: Task, args: ReadonlyArray<string>) => {
  const before = process.cpuUsage()
  const result = await task(...args)
  const used = process.cpuUsage(before)
  const usage: Usage = {
    cpuMs: (used.user + used.system) / 1000,
    peakMb: process.resourceUsage().maxRSS / 1024,
    result,
  }
  process.stdout.write(`\n${JSON.stringify(usage)}\n`)
}

const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(4)))

const report = (outcomes: ReadonlyArray<Outcome>, json: boolean) => {
  const rows = outcomes.map((row) => ({
    ...row,
    ours: rounded(row.ours),
    rival: rounded(row.rival),
    ratio: rounded(row.ratio),
  }))
  if (json) for (const row of rows) console.log(JSON.stringify(row))
  else console.table(rows)
}

/** The entry of every bench file: either one task in a child, or the whole bench. Exit code 1 when a bar is missed. */
export const main = async (bench: {
  readonly tasks?: Readonly<Record<string, Task>>
  readonly run: () => Promise<ReadonlyArray<Outcome>>
}): Promise<void> => {
  const [flag, name = "", ...args] = process.argv.slice(2).filter((each) => each !== SMOKE)
  const task = bench.tasks?.[name]
  if (flag === TASK && task !== undefined) return runTask(task, args)
  const outcomes = await bench.run()
  report(outcomes, process.argv.includes("--json"))
  process.exitCode = isSmoke || outcomes.every((row) => row.pass) ? 0 : 1
}
