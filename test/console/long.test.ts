import { assert, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, openPage, signIn } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

const HOURS = 10

let server: ConsoleServer
let browser: Browser
let transcript: string
let lines: number

serve({ timeout: 120_000 }, async ({ client, ...given }) => {
  ;({ server, browser } = given)
  const url = `https://media.example/long.mp3?seconds=${HOURS * 3600}`
  const job = await client.transcribe({ url }, { title: "Ten hours", language: "en" })
  transcript = job.id
  lines = job.segments.length
})

describe.skipIf(browserMissing !== null)(`ten hours of text${because(browserMissing)}`, () => {
  it("are all in the page, with few elements, and the first lines come first", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, {
      viewport: { width: 1280, height: 860 },
    })
    await signIn(page, server.origin, server.key)
    await page.addInitScript(() => {
      const seen: Array<[number, number]> = []
      Reflect.set(globalThis, "seen", seen)
      new MutationObserver(() => {
        const { length } = document.querySelectorAll(".text p")
        if (length > (seen.at(-1)?.[1] ?? 0)) seen.push([performance.now(), length])
      }).observe(document, { childList: true, subtree: true })
      const tasks: Array<number> = []
      Reflect.set(globalThis, "tasks", tasks)
      new PerformanceObserver((list) => {
        for (const { duration, startTime } of list.getEntries())
          if (startTime >= (seen[0]?.[0] ?? Number.POSITIVE_INFINITY)) tasks.push(duration)
      }).observe({ entryTypes: ["longtask"] })
    })
    await page.goto(`${server.origin}/console/t/${transcript}`)
    await page.waitForFunction((count) => document.querySelectorAll(".text p").length === count, lines)
    const { seen, tasks, elements } = await page.evaluate(() => ({
      seen: Reflect.get(globalThis, "seen") as Array<[number, number]>,
      tasks: Reflect.get(globalThis, "tasks") as Array<number>,
      elements: document.querySelectorAll(".text *").length,
    }))
    const [first, last] = [seen[0], seen.at(-1)]
    const took = (last?.[0] ?? 0) - (first?.[0] ?? 0)
    process.stdout.write(
      `${lines} lines: ${first?.[1]} at first, all ${took.toFixed(0)} ms later in ${seen.length} slices; longest task ${Math.max(0, ...tasks).toFixed(0)} ms\n`,
    )
    assert.isAbove(lines, 5000)
    assert.isBelow(elements, lines * 1.05)
    // They are seen before the last are there, and the page could do something else in between.
    assert.isBelow(first?.[1] ?? 0, lines)
    assert.isAbove(seen.length, 1)
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("are found by the browser, by the page, and by an address, at the very place", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, {
      viewport: { width: 1280, height: 860 },
    })
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/t/${transcript}?line=${lines - 3}`)
    const there = page.locator('.text p[aria-current="true"]')
    await there.waitFor()
    const middle = await there.evaluate((line) => {
      const { top, bottom } = line.getBoundingClientRect()
      return (top + bottom) / 2 / innerHeight
    })
    assert.isAbove(middle, 0)
    assert.isBelow(middle, 1)
    await page.waitForFunction((count) => document.querySelectorAll(".text p").length === count, lines)
    await page.keyboard.press("/")
    await page.keyboard.type("small fish")
    await page.getByText(/^1 of [\d,]+$/).waitFor()
    const marked = await page.evaluate(() => CSS.highlights.get("earmark-found")?.size ?? 0)
    assert.isAbove(marked, 100)
    const off = await page.evaluate(async () => {
      const field = document.activeElement
      const key = { key: "Enter", bubbles: true, cancelable: true }
      // The player covers the end of the window.
      const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockEnd)
      const middle = (innerHeight - covered) / 2
      const offNow = () => {
        const box = document.querySelector('.text p[aria-current="true"]')?.getBoundingClientRect()
        const isEdge = scrollY === 0 || scrollY + innerHeight >= document.documentElement.scrollHeight - 1
        return isEdge ? 0 : Math.abs(((box?.top ?? 0) + (box?.bottom ?? 0)) / 2 - middle)
      }
      const all: Array<number> = []
      for (let press = 0; press < 20; press++) {
        field?.dispatchEvent(new KeyboardEvent("keydown", key))
        for (let frame = 0; frame < 4; frame++) {
          await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))
          all.push(offNow())
        }
      }
      return Math.max(...all)
    })
    assert.isBelow(off, 1)
    const byBrowser = await page.evaluate(() => {
      getSelection()?.removeAllRanges()
      document.body.focus()
      return Reflect.get(globalThis, "find").call(globalThis, "two hundred and eleven")
    })
    assert.isTrue(byBrowser)
    assert.deepStrictEqual(faults, [])
    await close()
  })
})
