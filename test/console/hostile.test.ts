import { addressOf } from "@earmark/console"
import { assert, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, openPage, signIn } from "./browser.js"
import { type Seeded, seed } from "./seed.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

/** What people and receivers may write. Each is text, and stays it. */
const HOSTILE = [
  `<img src=x onerror="window.owned=1">`,
  `"><script>window.owned=1</script>`,
  `javascript:window.owned=1`,
  `{{constructor.constructor('window.owned=1')()}}`,
  `\u202Egnp.exe\u202C <svg/onload=window.owned=1>`,
  "W".repeat(300),
  "مقابلة مع <b>مدير</b> الميناء",
] as const

let server: ConsoleServer
let browser: Browser
let seeded: Seeded

serve({}, async (given) => {
  ;({ server, browser } = given)
  seeded = await seed(server.origin, server.key)
})

const poison = async (text: string) => {
  const { client, transcript, endpoint } = seeded
  await client.transcriptions.update(transcript, {
    title: text,
    speakers: { "Speaker 1": text.slice(0, 80) },
  })
  await client.keys.create({ name: text.slice(0, 100) })
  await client.webhooks.update(endpoint, { description: text })
}

describe.skipIf(browserMissing !== null)(`hostile text${because(browserMissing)}`, () => {
  it("stays text on every page that shows it, and breaks no page", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, {
      viewport: { width: 390, height: 800 },
    })
    await signIn(page, server.origin, server.key)
    const { transcript, endpoint, delivery } = seeded
    const places = [
      addressOf("transcripts"),
      addressOf("transcript", { id: transcript }),
      addressOf("search", {}, { q: "salt" }),
      addressOf("keys"),
      addressOf("webhook", { id: endpoint }),
    ]
    for (const text of HOSTILE) {
      await poison(text)
      for (const place of places) {
        await page.goto(server.origin + place)
        await page.waitForFunction(
          () => document.querySelector("h1") !== null && document.querySelector(".loading") === null,
        )
        const seen = await page.evaluate(() => ({
          owned: Reflect.get(globalThis, "owned") ?? null,
          foreign: document.querySelectorAll("#app :is(img, script, iframe, b[onclick], [onerror], [onload])")
            .length,
          links: [...document.links].filter(({ protocol }) => !/^https?:$/.test(protocol)).length,
          beyond: document.documentElement.scrollWidth - innerWidth,
        }))
        assert.deepStrictEqual(
          seen,
          { owned: null, foreign: 0, links: 0, beyond: 0 },
          `${place} with ${text.slice(0, 40)}`,
        )
      }
      await page.goto(server.origin + places[1])
      await page.locator("h1").waitFor()
      assert.strictEqual((await page.locator("h1").textContent())?.trim(), text)
    }
    assert.isNotEmpty(delivery)
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("in the answer of a receiver is shown as it came", async () => {
    const { page, faults, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    const { client } = seeded
    const { data } = await client.webhooks.list()
    const failing = data.find(({ url }) => url.includes("fail"))?.id ?? ""
    const { id } = await client.webhooks.test(failing)
    await page.goto(server.origin + addressOf("delivery", { id: failing, delivery: id }))
    await page.getByText("<h1>Down for <script>alert(1)</script></h1>").waitFor()
    assert.deepStrictEqual(faults, [])
    await close()
  })
})
