/** A browser for the bench of the console: throttled pages, and what they tell of themselves. */
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core"
import { openBrowser, signIn } from "../../console/browser.js"
import { type ConsoleServer, startConsole } from "../../console/server.js"

const VIEWPORT = { width: 1280, height: 860 }

export interface Bench {
  readonly server: ConsoleServer
  readonly browser: Browser
  /** Somebody who is signed in, with an empty cache. */
  readonly open: () => Promise<Opened>
  readonly stop: () => Promise<void>
}

interface Opened {
  readonly context: BrowserContext
  readonly page: Page
  readonly tools: CDPSession
  /** How many times slower than this machine the page is. */
  readonly throttle: (times: number) => Promise<void>
}

export const openBench = async (): Promise<Bench> => {
  const [server, browser] = [await startConsole(), await openBrowser()]
  const first = await browser.newContext({ viewport: VIEWPORT })
  await signIn(await first.newPage(), server.origin, server.key)
  const storageState = await first.storageState()
  await first.close()
  return {
    server,
    browser,
    open: async () => {
      const context = await browser.newContext({ viewport: VIEWPORT, storageState, reducedMotion: "reduce" })
      const page = await context.newPage()
      const tools = await context.newCDPSession(page)
      return {
        context,
        page,
        tools,
        throttle: async (times) => {
          await tools.send("Emulation.setCPUThrottlingRate", { rate: times })
        },
      }
    },
    stop: async () => {
      await browser.close()
      await server.stop()
    },
  }
}

/** Notes when things appear, and every task over 50 ms, from the first moment of a page on. */
export const watch = async (page: Page, selector: string): Promise<void> => {
  await page.addInitScript((wanted) => {
    const seen: Array<[at: number, count: number]> = []
    const tasks: Array<{ readonly at: number; readonly took: number }> = []
    Object.assign(globalThis, { seen, tasks })
    new MutationObserver(() => {
      const { length } = document.querySelectorAll(wanted)
      if (length <= (seen.at(-1)?.[1] ?? 0)) return
      // Noted when it is drawn: after the frame that has it.
      const noted: [number, number] = [0, length]
      seen.push(noted)
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => {
          noted[0] = performance.now()
        }
        channel.port2.postMessage(null)
      })
    }).observe(document, { childList: true, subtree: true })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) tasks.push({ at: startTime, took: duration })
    }).observe({ type: "longtask", buffered: true })
  }, selector)
}

export interface Noted {
  readonly seen: ReadonlyArray<readonly [at: number, count: number]>
  readonly tasks: ReadonlyArray<{ readonly at: number; readonly took: number }>
  /** Calls of the API, and when each was answered. */
  readonly calls: ReadonlyArray<{ readonly path: string; readonly begun: number; readonly answered: number }>
}

export const noted = (page: Page): Promise<Noted> =>
  page.evaluate(() => ({
    seen: Reflect.get(globalThis, "seen"),
    tasks: Reflect.get(globalThis, "tasks"),
    calls: performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/api/"))
      .map((entry) => ({
        path: new URL(entry.name).pathname,
        begun: entry.startTime,
        answered: entry instanceof PerformanceResourceTiming ? entry.responseEnd : 0,
      })),
  }))

/** Times between frames while a page scrolls by so many pixels a frame. */
export const framesOf = (page: Page, frames: number, pixels: number): Promise<ReadonlyArray<number>> =>
  page.evaluate(
    ([count, by]) =>
      new Promise<ReadonlyArray<number>>((resolve) => {
        const times: Array<number> = []
        let before = 0
        const next = (now: number) => {
          if (before > 0) times.push(now - before)
          before = now
          scrollBy(0, by)
          if (times.length < count) requestAnimationFrame(next)
          else resolve(times)
        }
        requestAnimationFrame(next)
      }),
    [frames, pixels] as const,
  )

const sorted = (values: ReadonlyArray<number>) => [...values].sort((one, other) => one - other)

export const median = (values: ReadonlyArray<number>): number =>
  sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN

export const p95 = (values: ReadonlyArray<number>): number =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * 0.95))] ?? Number.NaN
