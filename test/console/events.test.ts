/** The account stream in the console: one for all tabs that are seen, and no polling beside it. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, signIn, type Watched } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let watched: Watched
let client: EarmarkClient
const asked: Array<string> = []

const count = (path: string): number => asked.filter((each) => each === path).length

setUp({ signsIn: false }, (given) => {
  ;({ server, watched, client } = given)
  watched.page.context().on("request", (request) => asked.push(new URL(request.url()).pathname))
})

const create = (title: string) =>
  client.transcriptions.create({ url: `https://media.example/a.mp3?title=${encodeURIComponent(title)}` })

const EVENTS = "/api/v1/events"
const LIST = "/api/v1/transcriptions"

const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { get: () => "hidden", configurable: true })
    document.dispatchEvent(new Event("visibilitychange"))
  })

const shows = (page: Page, title: string) => page.getByText(title).first().waitFor({ timeout: 10_000 })

describe.skipIf(browserMissing !== null)(
  `the account stream in the console${because(browserMissing)}`,
  () => {
    it("is one for two tabs, and tells both of a new job; nothing is polled meanwhile", async () => {
      const { page } = watched
      await signIn(page, server.origin, server.key)
      const second = await page.context().newPage()
      await second.goto(`${server.origin}/console`)
      await second.getByRole("heading", { name: "Transcripts", exact: true }).waitFor()
      await create("The first")
      await Promise.all([shows(page, "The first"), shows(second, "The first")])
      await page.waitForTimeout(3000)
      assert.strictEqual(count(EVENTS), 1)
      const before = count(LIST)
      await page.waitForTimeout(7000)
      assert.strictEqual(count(LIST), before)

      await hide(page)
      await create("The second")
      await shows(second, "The second")
      assert.strictEqual(count(EVENTS), 2)

      await hide(second)
      await second.waitForTimeout(1000)
      const hidden = asked.length
      await create("The third")
      await second.waitForTimeout(4000)
      assert.deepStrictEqual(asked.slice(hidden), [])
      assert.deepStrictEqual(watched.faults, [])
    }, 60_000)
  },
)
