import { mkdirSync } from "node:fs"
import { addressOf, isForOperators, type PageName, pages } from "@earmark/console"
import { assert, describe, it } from "@effect/vitest"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { because } from "../servers/because.js"
import { browserMissing, findings, openBrowser, openPage, signIn } from "./browser.js"
import { risingTone } from "./recording.js"
import { type Seeded, seed } from "./seed.js"
import { type ConsoleServer, startConsole } from "./server.js"

/** Where pictures of the pages go; none are made when it is not set. */
const folder = process.env.EARMARK_SCREENSHOTS
/** Only these pages, for who works on one. */
const only = process.env.EARMARK_PAGES?.split(",")

let server: ConsoleServer
let browser: Browser
/** Of somebody who reads text at twice the size. */
let large: Browser
let seeded: Seeded
/** A transcript that can be played. */
let recorded: string

beforeAll(async () => {
  if (browserMissing !== null) return
  server = await startConsole({ decodes: true })
  ;[browser, large, seeded] = await Promise.all([
    openBrowser(),
    openBrowser({ fontSize: 32 }),
    seed(server.origin, server.key),
  ])
  const { client } = seeded
  const { media_ref } = await client.upload(risingTone(23), {
    filename: "tour.wav",
    contentType: "audio/wav",
  })
  recorded = (await client.transcribe({ media_ref }, { title: "A tour of the museum", diarize: true })).id
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await large?.close()
  await server?.stop()
})

const paramsOf = (name: PageName): Readonly<Record<string, string>> => {
  if (name === "transcript") return { id: seeded.transcript }
  if (name === "batch") return { id: seeded.batch }
  if (name === "operatorAccount") return { id: server.account }
  return { id: seeded.endpoint, delivery: seeded.delivery }
}

const question = "How far back do the account books go?"

const queryOf = (name: PageName): Readonly<Record<string, string>> => {
  if (name === "search") return { q: "salt" }
  return name === "ask" ? { question } : {}
}

interface Visit {
  readonly name: string
  readonly path: string
}

const names = Object.keys(pages) as Array<PageName>

const visitsOf = (some: ReadonlyArray<PageName>): ReadonlyArray<Visit> =>
  some.map((name) => ({ name, path: addressOf(name, paramsOf(name), queryOf(name)) }))

const visitsOfOperator = (): ReadonlyArray<Visit> => visitsOf(names.filter(isForOperators))

const own = names.filter((name) => !isForOperators(name))

/** Every page of the table, and the views and states that one address does not show. */
const visits = (): ReadonlyArray<Visit> => [
  ...visitsOf(own),
  ...["summary", "ask", "translation", "export", "integrity", "history", "record"].map((view) => ({
    name: `transcript-${view}`,
    path: addressOf("transcript", { id: seeded.transcript }, { view, ...(view === "ask" && { question }) }),
  })),
  { name: "transcript-player", path: addressOf("transcript", { id: recorded }) },
  ...["text", "integrity"].map((view) => ({
    name: `transcript-played-${view}`,
    path: addressOf("transcript", { id: recorded }, { view, t: 20, q: "museum" }),
  })),
  ...Object.entries(seeded.others).map(([name, id]) => ({
    name: `transcript-${name}`,
    path: addressOf("transcript", { id }),
  })),
  { name: "transcripts-nothing", path: addressOf("transcripts", {}, { q: "nowhere to be found" }) },
  { name: "ask-nothing", path: addressOf("ask", {}, { question: "zzzz qqqq?" }) },
  { name: "search-nothing", path: addressOf("search", {}, { q: "zzzz" }) },
  // The pages of the operator do not exist for other sessions.
  { name: "no-operator", path: addressOf("operatorAccounts") },
  { name: "no-page", path: "/console/no/such/page/here" },
]

const settled = async (page: Page) => {
  await page.locator("#main :is(h1, .empty h2)").first().waitFor()
  await page.waitForFunction(() => document.querySelector(".loading, .player .primary:disabled") === null)
}

/** Text that cannot be read: a button of one word that is broken over lines, and what something hides: what is beyond the edge of an element that cannot be scrolled, or of the window. */
const cutOff = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const found: Array<string> = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const isUsualSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) <= 16
    const isMeant = (element: Element) => element.closest(".hidden, .skip, option, noscript") !== null
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement } = node
      if (parentElement === null || isMeant(parentElement) || node.textContent?.trim() === "") continue
      if (!parentElement.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) continue
      const range = new Range()
      range.selectNodeContents(node)
      const text = range.getBoundingClientRect()
      if (text.width === 0) continue
      const isWord = !/\s/.test(node.textContent?.trim() ?? "")
      if (
        isWord &&
        isUsualSize &&
        parentElement.closest(".button") !== null &&
        range.getClientRects().length > 1
      )
        found.push(`"${node.textContent}" is broken over lines`)
      for (let at: Element | null = parentElement; at !== null; at = at.parentElement) {
        const { overflowX, clipPath } = getComputedStyle(at)
        if (clipPath !== "none" || overflowX === "auto" || overflowX === "scroll") break
        const box = at === document.body ? new DOMRect(0, 0, innerWidth, 0) : at.getBoundingClientRect()
        if (overflowX !== "hidden" && overflowX !== "clip" && at !== document.body) continue
        if (text.right > box.right + 1 || text.left < box.left - 1)
          found.push(`"${node.textContent?.slice(0, 40)}" is cut off in ${at.tagName} ${at.className}`)
      }
    }
    return found
  })

const looks = [
  { scheme: "light", width: 1280, text: 100 },
  { scheme: "dark", width: 1280, text: 100 },
  { scheme: "light", width: 320, text: 100 },
  { scheme: "dark", width: 320, text: 100 },
  { scheme: "light", width: 1280, text: 200 },
  { scheme: "dark", width: 320, text: 200 },
  // The window of 1,280 px, zoomed to 200 %.
  { scheme: "light", width: 640, text: 100 },
] as const

describe.skipIf(browserMissing !== null)(`the pages of the console${because(browserMissing)}`, () => {
  for (const { scheme, width, text } of looks)
    it(`are in order, ${scheme}, ${width} px wide, text at ${text} %`, async () => {
      const { page, faults, close } = await openPage(text === 200 ? large : browser, server.origin, {
        colorScheme: scheme,
        viewport: { width, height: width === 320 ? 720 : 860 },
      })
      const suffix = text === 100 ? "" : `-text-${text}`
      await page.goto(`${server.origin}/console`)
      await page.getByLabel("API key").waitFor()
      const found: Array<string> = (await findings(page)).map((each) => `sign-in ${each}`)
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/sign-in-${scheme}-${width}${suffix}.png` })
      await signIn(page, server.origin, server.key)
      const isWhole = text === 200 || (scheme === "light") === (width === 1280)
      const look = async ({ name, path }: Visit) => {
        if (only !== undefined && !only.some((each) => name.startsWith(each))) return
        await page.goto(server.origin + path)
        await settled(page)
        found.push(...(await findings(page)).map((each) => `${name} ${each}`))
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (beyond > 0) found.push(`${name} is ${beyond} px wider than the window`)
        found.push(...(await cutOff(page)).map((each) => `${name}: ${each}`))
        if (folder !== undefined)
          await page.screenshot({ path: `${folder}/${name}-${scheme}-${width}${suffix}.png` })
      }
      for (const visit of isWhole ? visits() : visits().slice(0, own.length)) await look(visit)
      await page.goto(await server.newLink({ isOperator: true }))
      await page.locator('a[href="/console/operator"]').waitFor({ state: "attached" })
      for (const visit of visitsOfOperator()) await look(visit)
      await close()
      assert.deepStrictEqual(found, [], found.join("\n"))
      assert.deepStrictEqual(faults, [], faults.join("\n"))
    })
})
