/** The player when the link to a recording expires, when the server is away, and when no recording was kept. */
import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { browserMissing } from "./browser.js"
import { setUpTalk } from "./playing.js"

const { server, watched, client, played, openTalk, audio } = setUpTalk()

describe.skipIf(browserMissing !== null)(`the player${because(browserMissing)}`, () => {
  it("goes on while other views are open, and asks for a new link once one ends", async () => {
    const page = await openTalk("?t=5")
    await page.getByRole("button", { name: "Play" }).click()
    await page.getByRole("link", { name: "Export" }).click()
    await page.getByRole("heading", { name: "Preview" }).waitFor()
    const before = await audio()
    assert.isFalse(before.paused)
    const asked = page.waitForRequest((request) => request.url().endsWith("/media-link"))
    await page.evaluate(() => {
      const element = Reflect.get(globalThis, "player") as HTMLAudioElement
      element.src = "/media/ended"
    })
    await asked
    await page.waitForFunction((at) => {
      const element = Reflect.get(globalThis, "player") as HTMLAudioElement
      return !element.paused && element.currentTime > at
    }, before.currentTime)
    await page.keyboard.press("Space")
  })

  it("goes on at the same moment when the server is back, by itself or by a button", async () => {
    const page = await openTalk("?t=20")
    await page.getByRole("button", { name: "Play" }).click()
    await page.waitForFunction(() => (Reflect.get(globalThis, "player") as HTMLAudioElement).currentTime > 21)
    const leave = async () => {
      await page.route("**/media-link", (route) => route.abort())
      const at = (await audio()).currentTime
      await page.evaluate(() => {
        const element = Reflect.get(globalThis, "player") as HTMLAudioElement
        element.src = "/media/ended"
      })
      await page.locator(".player [role=alert]").waitFor()
      return at
    }
    const goesOnFrom = (at: number) =>
      page.waitForFunction((from) => {
        const { paused, currentTime } = Reflect.get(globalThis, "player") as HTMLAudioElement
        return !paused && currentTime > from && currentTime < from + 10
      }, at)
    const first = await leave()
    // One tries in vain meanwhile.
    const inVain = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/media-link"))
    await page.getByRole("button", { name: "Try again" }).click()
    await inVain
    await page.locator(".player [role=alert]").waitFor()
    await page.unroute("**/media-link")
    await page.getByRole("button", { name: "Try again" }).click()
    await goesOnFrom(first)
    const second = await leave()
    await page.unroute("**/media-link")
    await goesOnFrom(second)
    assert.strictEqual(await page.locator(".player [role=alert]").count(), 0)
    await page.keyboard.press("Space")
  })

  it("plays also where the link ends between the press and the first sound", async () => {
    const page = await openTalk("?t=20")
    await page.evaluate(() => {
      const element = Reflect.get(globalThis, "player") as HTMLAudioElement
      element.addEventListener("play", () => (element.src = "/media/ended"), { once: true })
    })
    await page.getByRole("button", { name: "Play" }).click()
    await page.waitForFunction(
      () => {
        const { paused, currentTime } = Reflect.get(globalThis, "player") as HTMLAudioElement
        return !paused && currentTime > 20.5
      },
      null,
      { timeout: 10_000 },
    )
    await page.keyboard.press("Space")
  })

  it("opens the recording once a server that was away is there", async () => {
    const { page } = watched()
    await page.route("**/media-link", (route) => route.abort())
    await page.goto(`${server().origin}/console/t/${played()}?t=20`)
    await page.locator(".player [role=alert]").waitFor()
    await page.unroute("**/media-link")
    await page.getByRole("button", { name: "Play", disabled: false }).waitFor()
    await page.getByText("0:20 / 1:00").waitFor()
    assert.isTrue((await audio()).paused)
  })

  it("says where no recording was kept, and the text is as it was", async () => {
    const { page } = watched()
    const notKept = await client().transcribe({ url: "https://media.example/talk.mp3?seconds=60" })
    await page.goto(`${server().origin}/console/t/${notKept.id}`)
    await page.getByText("The recording was not kept.").waitFor()
    assert.isAbove(await page.locator(".text p").count(), 3)
  })

  it("had no fault in all of that", () => {
    assert.deepStrictEqual(
      watched().faults.filter((fault) => !/\/media\/ended|ERR_FAILED/.test(fault)),
      [],
    )
  })
})
