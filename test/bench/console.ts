/**
 * What the console promises of speed: opening at a fourth of the speed, ten hours of text, a long list, and a page that stays open.
 * It needs Chromium and the built console (`npm run build -w packages/console`).
 */
import { loadavg } from "node:os"
import { EarmarkClient } from "@earmark/api/client"
import { type Bench, framesOf, median, noted, openBench, p95, watch } from "./console/browsing.js"
import { atMost, main, type Outcome, sized } from "./harness.js"

const ROUNDS = sized(5, 1)
const HOURS = sized(10, 1)
/** Enough for the first page of a list. */
const FIRST_JOBS = 60
const JOBS = sized(5000, 150)
const CHANGES = sized(2000, 20)
const FRAMES = sized(180, 20)
/** Pixels a frame: some 12 lines a second, more than anyone reads. */
const READING = 6
/** Milliseconds at full speed. The first question to a page has the browser's driver put its own code there: 10 ms of work that nobody else has. */
const UNDISTURBED = sized(1000, 50)
/** Milliseconds in which what follows the text is drawn. */
const DRAWN = sized(500, 50)
/** Pixels a frame of somebody who looks for something. */
const LEAFING = 60

const opening = async ({ server, open }: Bench): Promise<ReadonlyArray<Outcome>> => {
  const times: Array<number> = []
  const calls: Array<number> = []
  for (let round = 0; round < ROUNDS; round++) {
    const { context, page, throttle } = await open()
    await throttle(4)
    await watch(page, "tbody tr")
    await page.goto(`${server.origin}/console`)
    await page.waitForTimeout(UNDISTURBED * 4)
    await page.waitForFunction(() => (Reflect.get(globalThis, "seen") as [[number]])[0]?.[0] > 0)
    const { seen, calls: made } = await noted(page)
    const [row = 0] = seen[0] ?? []
    times.push(row)
    calls.push(made.filter(({ begun }) => begun < row).length)
    await context.close()
  }
  return [
    atMost("list: interactive, 4x slower, ms", median(times), 1000),
    atMost("list: calls of the API before the first row", median(calls), 3),
  ]
}

const reading = async (
  { server, open }: Bench,
  transcript: string,
  lines: number,
  slower: 1 | 4,
): Promise<ReadonlyArray<Outcome>> => {
  const first: Array<number> = []
  const all: Array<number> = []
  const tasks: Array<number> = []
  const frames: Array<number> = []
  const seeks: Array<number> = []
  let off = 0
  for (let round = 0; round < ROUNDS; round++) {
    const { context, page, throttle } = await open()
    await throttle(slower)
    await watch(page, ".text p")
    await page.goto(`${server.origin}/console/t/${transcript}`)
    await page.waitForTimeout(UNDISTURBED * slower)
    await page.waitForFunction((count) => {
      const [at, there] = (Reflect.get(globalThis, "seen") as Array<[number, number]>).at(-1) ?? [0, 0]
      return at > 0 && there === count
    }, lines)
    const { seen, tasks: long, calls } = await noted(page)
    const answered = calls.find(({ path }) => path.endsWith(transcript))?.answered ?? 0
    first.push((seen[0]?.[0] ?? 0) - answered)
    all.push((seen.at(-1)?.[0] ?? 0) - answered)
    // What is drawn after the text counts, too: words, timeline.
    await page.waitForTimeout(DRAWN * slower)
    const { tasks: later } = await noted(page)
    tasks.push(Math.max(0, ...[...long, ...later].filter(({ at }) => at >= answered).map(({ took }) => took)))
    if (slower === 1) {
      frames.push(p95(await framesOf(page, FRAMES, READING)))
      await page.keyboard.press("/")
      await page.keyboard.type("small fish")
      await page.getByText(/^1 of [\d,]+$/).waitFor()
      const sought = await page.evaluate(async () => {
        const field = document.activeElement
        const times: Array<number> = []
        // The player covers the end of the window.
        const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockEnd)
        const wanted = (innerHeight - covered) / 2
        let most = 0
        for (let press = 0; press < 20; press++) {
          const began = performance.now()
          field?.dispatchEvent(
            new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }),
          )
          await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
          times.push(performance.now() - began)
          const box = document.querySelector('.text p[aria-current="true"]')?.getBoundingClientRect()
          const middle = ((box?.top ?? 0) + (box?.bottom ?? 0)) / 2
          if (scrollY > 0) most = Math.max(most, Math.abs(middle - wanted))
        }
        return { times, most }
      })
      seeks.push(median(sought.times))
      off = Math.max(off, sought.most)
    }
    await context.close()
  }
  const at = `${HOURS} hours of text, ${slower === 1 ? "full speed" : "4x slower"}`
  return [
    atMost(`${at}: first lines after the answer, ms`, median(first), slower === 1 ? 100 : 300),
    atMost(`${at}: all lines after the answer, ms`, median(all), slower === 1 ? 300 : 2000),
    ...(slower === 1
      ? [
          atMost(`${at}: longest task, ms (0: none over 50)`, median(tasks), 50),
          atMost(`${at}: p95 frame at reading speed, ms`, median(frames), 17),
          atMost(`${at}: going to the next match, ms`, median(seeks), 100),
          atMost(`${at}: a match is off its place by, px`, off, 1),
        ]
      : []),
  ]
}

/** Every row of a long list, read by scrolling to its end. */
const readToEnd = async (bench: Bench) => {
  const opened = await bench.open()
  const { page } = opened
  await page.goto(`${bench.server.origin}/console`)
  await page.locator("tbody tr").first().waitFor()
  for (let rows = 0; ; ) {
    // What comes into view gets its true height: the end moves while it is approached.
    await page.waitForFunction((before) => {
      scrollTo(0, document.documentElement.scrollHeight)
      return document.querySelectorAll("tbody tr").length > before || document.querySelector(".more") === null
    }, rows)
    rows = await page.locator("tbody tr").count()
    if ((await page.locator(".more").count()) === 0) return { ...opened, rows }
  }
}

/** So many episodes, done. */
const transcribed = async (client: EarmarkClient, episodes: number) => {
  const feed = `https://show.example/feed.xml?episodes=${episodes}&title=Speaking+of+food`
  const { batch_id } = await client.podcasts.transcribe({ feed, episodes: "all" })
  while ((await client.podcasts.batch(batch_id)).queued > 0)
    await new Promise((resolve) => setTimeout(resolve, 500))
}

const listing = async (bench: Bench, client: EarmarkClient): Promise<ReadonlyArray<Outcome>> => {
  await transcribed(client, JOBS)
  const { context, page, rows } = await readToEnd(bench)
  if (rows < JOBS) throw new Error(`The list has ${rows} rows of ${JOBS}`)
  await page.evaluate(() => scrollTo(0, 0))
  await page.waitForTimeout(500)
  const frames = await framesOf(page, FRAMES, LEAFING)
  await page.evaluate(() => scrollTo(0, 900))
  const row = page.locator("tbody tr").nth(12)
  await row.hover()
  const topOf = () => row.evaluate((element) => element.getBoundingClientRect().top)
  const [name, before] = [await row.locator(".title").textContent(), await topOf()]
  const { data } = await client.transcriptions.list({ limit: 50 })
  await page.evaluate(() => {
    const took: Array<number> = []
    Reflect.set(globalThis, "updates", took)
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) took.push(duration)
    }).observe({ type: "longtask" })
  })
  let jump = 0
  for (let turn = 0; turn < sized(10, 2); turn++) {
    // New ones come in, and titles change above and below.
    await client.transcriptions.create({ url: `https://media.example/new-${turn}.mp3?seconds=30` })
    const title = `Renamed ${turn}`
    await client.transcriptions.update(data[20 + turn]?.id ?? "", { title })
    // Looking for the text among all elements would be a long task itself.
    await page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll("tbody a.title")].some(({ textContent }) => textContent === wanted),
      title,
    )
    jump = Math.max(jump, Math.abs((await topOf()) - before))
  }
  if ((await row.locator(".title").textContent()) !== name)
    throw new Error("Another row is under the pointer")
  const updates = await page.evaluate(() => Reflect.get(globalThis, "updates") as ReadonlyArray<number>)
  await context.close()
  const of = `list of ${JOBS.toLocaleString("en")}`
  return [
    atMost(`${of}: p95 frame while scrolling, ms`, p95(frames), 17),
    atMost(`${of}: longest task of 10 updates, ms (0: none over 50)`, Math.max(0, ...updates), 50),
    atMost(`${of}: the row under the pointer moves by, px`, jump, 0),
  ]
}

const staying = async ({ server, open }: Bench, client: EarmarkClient): Promise<ReadonlyArray<Outcome>> => {
  const { context, page, tools } = await open()
  // Eight hours in which something changes every quarter of a minute, without the waiting.
  await page.addInitScript(() => {
    const [every, once] = [setInterval, setTimeout]
    const sooner = (after = 0) => (after >= 1000 && after <= 3000 ? 5 : after)
    Reflect.set(globalThis, "setInterval", (run: () => void, after: number) => every(run, sooner(after)))
    Reflect.set(globalThis, "setTimeout", (run: () => void, after: number) => once(run, sooner(after)))
  })
  await page.goto(`${server.origin}/console`)
  await page.locator("tbody tr").first().waitFor()
  const { data } = await client.transcriptions.list({ limit: 20 })
  const change = async (turn: number) => {
    const title = `Change ${turn}`
    await client.transcriptions.update(data[turn % data.length]?.id ?? "", { title })
    await page.getByText(title, { exact: true }).waitFor()
  }
  /** What is held: one collection leaves some of what is held no more, such as code that has not run for a while. */
  const heap = async () => {
    const collected = async () => {
      await tools.send("HeapProfiler.collectGarbage")
      return (await tools.send("Runtime.getHeapUsage")).usedSize
    }
    let [before, now] = [Number.POSITIVE_INFINITY, await collected()]
    while (now < before * 0.995) [before, now] = [now, await collected()]
    return now
  }
  // Before that the code of the page is still being compiled.
  const WARM = sized(500, 5)
  for (let turn = 0; turn < WARM; turn++) await change(turn)
  const before = await heap()
  for (let turn = WARM; turn < WARM + CHANGES; turn++) {
    await change(turn)
    if (turn % 500 === 0)
      process.stderr.write(`Heap after ${turn} changes: ${(await heap()).toLocaleString("en")} bytes\n`)
  }
  const growth = (((await heap()) - before) / before) * 100
  await context.close()
  const outcome = atMost(`heap after ${CHANGES.toLocaleString("en")} changes, % more`, growth, 10)
  return [{ ...outcome, bar: "-10 to 10", pass: Math.abs(growth) <= 10 }]
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const bench = await openBench()
  try {
    const client = new EarmarkClient({ baseUrl: bench.server.origin, apiKey: bench.server.key })
    await client.credits.purchase({ credits: 50_000 })
    const url = `https://media.example/long.mp3?seconds=${HOURS * 3600}`
    const long = await client.transcribe({ url }, { title: "Ten hours", language: "en" })
    await transcribed(client, FIRST_JOBS)
    const outcomes: Array<Outcome> = []
    for (const measure of [
      () => opening(bench),
      () => reading(bench, long.id, long.segments.length, 1),
      () => reading(bench, long.id, long.segments.length, 4),
      () => staying(bench, client),
      () => listing(bench, client),
    ])
      for (const outcome of await measure()) {
        // Each as soon as it is known: the whole takes minutes.
        process.stderr.write(`${outcome.bench}: ${outcome.ours.toFixed(1)} (${outcome.bar})\n`)
        outcomes.push(outcome)
      }
    process.stdout.write(
      `Load of the machine: ${loadavg()
        .map((each) => each.toFixed(1))
        .join(", ")}\n`,
    )
    return outcomes
  } finally {
    await bench.stop()
  }
}

await main({ run })
