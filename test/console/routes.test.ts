import { mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { addressOf, type PageName, pages } from "@earmark/console"
import { assert, describe, it } from "@effect/vitest"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { because } from "../servers/because.js"
import { browserMissing, openBrowser, openPage, signIn } from "./browser.js"
import { type Seeded, seed } from "./seed.js"
import { type ConsoleServer, startConsole } from "./server.js"

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

/** Where pictures of the pages go; none are made when it is not set. */
const folder = process.env.EARMARK_SCREENSHOTS
/** Only these pages, for who works on one. */
const only = process.env.EARMARK_PAGES?.split(",")

let server: ConsoleServer
let browser: Browser
let seeded: Seeded

beforeAll(async () => {
  if (browserMissing !== null) return
  server = await startConsole()
  ;[browser, seeded] = await Promise.all([openBrowser(), seed(server.origin, server.key)])
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const paramsOf = (name: PageName): Readonly<Record<string, string>> => {
  if (name === "transcript") return { id: seeded.transcript }
  if (name === "batch") return { id: seeded.batch }
  return { id: seeded.endpoint, delivery: seeded.delivery }
}

interface Visit {
  readonly name: string
  readonly path: string
}

/** Every page of the table, and the views and states that one address does not show. */
const visits = (): ReadonlyArray<Visit> => [
  ...(Object.keys(pages) as Array<PageName>).map((name) => ({
    name,
    path: addressOf(name, paramsOf(name), name === "search" ? { q: "salt" } : {}),
  })),
  ...["summary", "translation", "export", "integrity", "record"].map((view) => ({
    name: `transcript-${view}`,
    path: addressOf("transcript", { id: seeded.transcript }, { view }),
  })),
  ...Object.entries(seeded.others).map(([name, id]) => ({
    name: `transcript-${name}`,
    path: addressOf("transcript", { id }),
  })),
  { name: "transcripts-nothing", path: addressOf("transcripts", {}, { q: "nowhere to be found" }) },
  { name: "search-nothing", path: addressOf("search", {}, { q: "zzzz" }) },
  { name: "no-page", path: "/console/no/such/page/here" },
]

/** What axe finds, in a line each. */
const findings = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(await readAxe())
  return page.evaluate(async () => {
    const { violations } = await Reflect.get(globalThis, "axe").run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    })
    return violations.flatMap(
      ({ id, nodes }: { id: string; nodes: Array<{ html: string; any: Array<{ message: string }> }> }) =>
        nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
    )
  })
}

const readAxe = async () => (await import("node:fs/promises")).readFile(axe, "utf8")

const settled = async (page: Page) => {
  await page.locator("#main :is(h1, .empty h2)").first().waitFor()
  await page.waitForFunction(() => document.querySelector(".loading") === null)
}

const looks = [
  { scheme: "light", width: 1280 },
  { scheme: "dark", width: 1280 },
  { scheme: "light", width: 320 },
  { scheme: "dark", width: 320 },
] as const

describe.skipIf(browserMissing !== null)(`the pages of the console${because(browserMissing)}`, () => {
  for (const { scheme, width } of looks)
    it(`are in order, ${scheme}, ${width} px wide`, async () => {
      const { page, faults, close } = await openPage(browser, server.origin, {
        colorScheme: scheme,
        viewport: { width, height: width === 320 ? 720 : 860 },
      })
      await page.goto(`${server.origin}/console`)
      await page.getByLabel("API key").waitFor()
      const found: Array<string> = (await findings(page)).map((each) => `sign-in ${each}`)
      if (folder !== undefined) await page.screenshot({ path: `${folder}/sign-in-${scheme}-${width}.png` })
      await signIn(page, server.origin, server.key)
      const isWhole = (scheme === "light") === (width === 1280)
      for (const { name, path } of isWhole ? visits() : visits().slice(0, Object.keys(pages).length)) {
        if (only !== undefined && !only.some((each) => name.startsWith(each))) continue
        await page.goto(server.origin + path)
        await settled(page)
        found.push(...(await findings(page)).map((each) => `${name} ${each}`))
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (beyond > 0) found.push(`${name} is ${beyond} px wider than the window`)
        if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${scheme}-${width}.png` })
      }
      await close()
      assert.deepStrictEqual(found, [])
      assert.deepStrictEqual(faults, [])
    })
})
