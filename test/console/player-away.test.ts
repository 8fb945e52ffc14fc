/** A recording whose server stops and starts while it is heard, by the real command. */
import { once } from "node:events"
import { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { because } from "../servers/because.js"
import {
  type EarmarkServer,
  type Running,
  runEarmark,
  startEarmark,
  whenReady,
} from "../servers/earmarkServer.js"
import { browserMissing, openBrowser, openPage, signIn, type Watched } from "./browser.js"
import { risingTone } from "./recording.js"

/** More than a browser reads ahead. */
const SECONDS = 600

let server: EarmarkServer
let again: Running | undefined
let browser: Browser
let watched: Watched
let id: string

beforeAll(async () => {
  if (browserMissing !== null) return
  server = await startEarmark()
  browser = await openBrowser()
  const client = new EarmarkClient({ baseUrl: server.baseUrl, apiKey: server.key })
  const { media_ref } = await client.upload(risingTone(SECONDS), {
    filename: "long.wav",
    contentType: "audio/wav",
  })
  id = (await client.transcribe({ media_ref }, { title: "A long talk" })).id
  watched = await openPage(browser, server.baseUrl, { viewport: { width: 1280, height: 860 } })
  await signIn(watched.page, server.baseUrl, server.key)
}, 120_000)

afterAll(async () => {
  await watched?.close()
  await browser?.close()
  await again?.stop()
  await server?.stop()
})

describe.skipIf(browserMissing !== null)(
  `a recording that cannot be reached${because(browserMissing)}`,
  () => {
    it("is told within seconds, below a player that stays, and goes on by itself", async () => {
      const { page } = watched
      await page.goto(`${server.baseUrl}/console/t/${id}`)
      await page.getByRole("button", { name: "Play", exact: true, disabled: false }).click()
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
      server.child.kill("SIGKILL")
      await once(server.child, "close")
      const slider = page.getByRole("slider", { name: "Position" })
      await slider.focus()
      for (let minute = 0; minute < 5; minute++) await page.keyboard.press("PageUp")
      const began = Date.now()
      const told = page.getByRole("region", { name: "Player" }).getByRole("alert")
      await told.getByText("The recording cannot be reached. It goes on when it can.").waitFor()
      assert.isAtMost(Date.now() - began, 6000)
      assert.isTrue(await slider.isVisible())
      assert.match(String(await slider.getAttribute("aria-valuetext")), /^5:0\d of 10:00$/)
      again = runEarmark("serve", server.environment)
      await whenReady(again, server.baseUrl)
      await told.waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
      await page.waitForFunction(() =>
        /^5:(0[2-9]|[1-9])/.test(document.querySelector(".clock")?.textContent ?? ""),
      )
    }, 120_000)
  },
)
