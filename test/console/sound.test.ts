/** What is heard, told by the sound itself: the text and the player are where it is. Recordings are uploaded, decoded and played for real. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, openPage, signIn } from "./browser.js"
import { now, type Said, SECONDS, setUpSound } from "./listening.js"
import { ffmpegMissing } from "./recording.js"

const NAMES = ffmpegMissing === null ? (["tone.wav", "tone.m4a"] as const) : (["tone.wav"] as const)

const { server, browser, watched, talks, open, playTo } = setUpSound(NAMES)

const stepsOf = (
  page: Page,
): Promise<ReadonlyArray<Said & { readonly at: number; readonly heard: number }>> =>
  page.evaluate(() => Reflect.get(globalThis, "listening").steps)

const shareWithin = (values: ReadonlyArray<number>, most: number): number =>
  values.filter((value) => Math.abs(value) <= most).length / values.length

/** How far off the middle one is. */
const inMilliseconds = (seconds: ReadonlyArray<number>): string => {
  const sizes = seconds.map(Math.abs).toSorted((one, other) => one - other)
  return `${((sizes[sizes.length >> 1] ?? Number.NaN) * 1000).toFixed(0)} ms`
}

describe.skipIf(browserMissing !== null)(`what is heard${because(browserMissing)}`, () => {
  it("begins at a moment that was found in all transcripts, when its link is pressed", async () => {
    const { page } = watched()
    await page.goto(`${server().origin}/console/search?q=%22price+of+salt%22`)
    const link = page.locator(".hits .moment").first()
    await link.click()
    await page.getByRole("button", { name: "Pause" }).waitFor()
    const opened = new URL(page.url())
    const talk = [...talks.values()].find(({ id }) => opened.pathname.endsWith(id))
    const moment = Number(opened.searchParams.get("t"))
    // It is the moment of the word, not that of its line.
    const word = talk?.words.find(({ start }) => Math.abs(start - moment) < 0.01)
    assert.strictEqual(word?.text, "price")
    await page.waitForFunction((least) => Reflect.get(globalThis, "listening").now().at > least, moment)
    assert.isBelow((await now(page)).at, moment + 5)
    // An address that is opened alone waits.
    await page.reload()
    await page.getByRole("button", { name: "Play", disabled: false }).waitFor()
    await page.waitForTimeout(300)
    assert.strictEqual(await page.getByRole("button", { name: "Pause" }).count(), 0)
  })

  for (const name of NAMES) {
    it(`is marked in the text within 60 ms, ${name}`, async () => {
      const { words } = await open(name)
      await playTo(6)
      // The first step is the word at which playing began.
      const steps = (await stepsOf(watched().page)).slice(1)
      const off = steps.map(({ text, at, heard }) => {
        const starts = words.filter((word) => word.text === text).map(({ start }) => start)
        const nearest = starts.toSorted((one, other) => Math.abs(one - at) - Math.abs(other - at))[0] ?? -1
        return { clock: at - nearest, sound: heard - nearest }
      })
      const told = off.map(({ clock, sound }) => `${clock.toFixed(3)}/${sound.toFixed(3)}`).join(" ")
      const [clock, sound] = [off.map((each) => each.clock), off.map((each) => each.sound)]
      process.stdout.write(
        `${name}: ${steps.length} words marked, median ${inMilliseconds(clock)} of the clock, ${inMilliseconds(sound)} of the sound\n`,
      )
      assert.isAtLeast(steps.length, 10)
      // A machine that is busy with other things draws a frame late now and then.
      assert.isAtLeast(shareWithin(clock, 0.06), 0.8, told)
      assert.isAtLeast(shareWithin(sound, 0.06), 0.5, told)
    })

    it(`is within 150 ms of the place that was sought, ${name}`, async () => {
      await open(name, "?t=31")
      const { page } = watched()
      for (const place of [31, 52, 7.5]) {
        if (place !== 31) {
          const slider = page.getByRole("slider", { name: "Position" })
          const box = await slider.boundingBox()
          assert.isNotNull(box)
          if (box !== null)
            await page.mouse.click(box.x + (box.width * place) / SECONDS, box.y + box.height / 3)
        }
        await playTo(place + 0.4)
        const { at, heard } = await now(page)
        assert.closeTo(heard, at, 0.15, `sought ${place}`)
        assert.isBelow(at, place + 3, `sought ${place}`)
      }
    })
  }

  it("steps back two seconds when it goes on after a pause", async () => {
    await open("tone.wav", "?t=20")
    const { page } = watched()
    await playTo(21)
    await page.locator("h1").click()
    await page.keyboard.press("Space")
    const { at, isPaused } = await now(page)
    assert.isTrue(isPaused)
    await page.keyboard.press("Space")
    await page.waitForFunction(() => !Reflect.get(globalThis, "listening").now().isPaused)
    const again = await now(page)
    assert.closeTo(again.at, at - 2, 0.5)
  })

  it("plays and pauses as often as the key is pressed, however fast", async () => {
    await open("tone.wav", "?t=20")
    const { page } = watched()
    await playTo(20.5)
    const after = (presses: number) =>
      page.evaluate(async (count) => {
        for (let press = 0; press < count; press++)
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }))
        await new Promise((resolve) => setTimeout(resolve, 200))
        return Reflect.get(globalThis, "listening").now().isPaused
      }, presses)
    assert.isFalse(await after(2))
    assert.isTrue(await after(3))
    assert.isTrue(await after(2))
  })

  it("is followed in the text until a person scrolls, and again when they ask", async () => {
    await open("tone.wav", "?t=2")
    const { page } = watched()
    await playTo(3)
    const back = page.getByRole("button", { name: "Back to the voice" })
    assert.isFalse(await back.isVisible())
    const toEnd = await page.getByRole("slider", { name: "Position" }).boundingBox()
    if (toEnd !== null) await page.mouse.click(toEnd.x + toEnd.width * 0.8, toEnd.y + 5)
    const spoken = page.locator(".text p.spoken")
    const isSeen = () =>
      spoken.evaluate((line) => {
        const { top, bottom } = line.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await playTo(SECONDS * 0.8 + 0.5)
    assert.isTrue(await isSeen(), "it follows a seek")
    await page.mouse.move(500, 200)
    await page.waitForTimeout(300)
    await page.mouse.wheel(0, -5000)
    await back.waitFor()
    await page.waitForTimeout(700)
    assert.isFalse(await isSeen(), "it stays where the person scrolled")
    await back.click()
    await back.waitFor({ state: "detached" })
    await page.waitForTimeout(200)
    assert.isTrue(await isSeen(), "it is back")
  })

  it("is told to have failed after one new link, and comes back with one that leads somewhere", async () => {
    const { id } = talks.get("tone.wav") ?? { id: "" }
    for (const [broken, links] of [
      [1, 2],
      [Number.POSITIVE_INFINITY, 2],
    ] as const) {
      const own = await openPage(browser(), server().origin)
      let asked = 0
      own.page.on("request", (request) => {
        if (request.url().endsWith("/media-link")) asked += 1
      })
      await signIn(own.page, server().origin, server().key)
      await own.page.route("**/media/**", (route) =>
        asked <= broken ? route.fulfill({ status: 410, body: "" }) : route.continue(),
      )
      await own.page.goto(`${server().origin}/console/t/${id}?t=20`)
      if (broken === 1) {
        await own.page.getByRole("button", { name: "Play", disabled: false }).waitFor()
        await own.page.getByText("0:20 / 1:00").waitFor()
      } else await own.page.getByText("This browser cannot play the recording.").waitFor()
      assert.strictEqual(asked, links)
      await own.close()
    }
  })

  it("stops with its transcript, and the next one begins at its own beginning", async () => {
    await open("tone.wav", "?t=30")
    const { page } = watched()
    await playTo(31)
    await page.getByRole("link", { name: "Earmark, all transcripts" }).click()
    await page.getByRole("heading", { name: "Transcripts" }).waitFor()
    assert.isTrue((await now(page)).isPaused)
    if (ffmpegMissing !== null) return
    await page.getByRole("link", { name: "tone", exact: true }).first().click()
    await page.getByRole("button", { name: "Play", disabled: false }).waitFor()
    await playTo(0.5)
    assert.isBelow((await now(page)).at, 3)
  })

  it("is drawn: what was heard in another colour than what comes, in both schemes", async () => {
    await open("tone.wav", "?t=30")
    const { page } = watched()
    const coloursAt = (share: number) =>
      page.evaluate((at) => {
        const context: OffscreenCanvasRenderingContext2D = Reflect.get(globalThis, "listening").picture()
        const { canvas } = context
        const [from, to] = [Math.floor(canvas.width * at), Math.ceil(canvas.width * 0.1)]
        const { data } = context.getImageData(from, 0, to, canvas.height - 8)
        const counts = new Map<string, number>()
        for (let byte = 0; byte < data.length; byte += 4) {
          const colour = data.slice(byte, byte + 3).join()
          if (data[byte + 3] === 255) counts.set(colour, (counts.get(colour) ?? 0) + 1)
        }
        return [...counts].toSorted(([, one], [, other]) => other - one).map(([colour]) => colour)
      }, share)
    await page.waitForFunction(() => (document.querySelector("canvas")?.width ?? 0) > 0)
    const seen: Array<string | undefined> = []
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      await page.waitForTimeout(200)
      const [before, after] = [await coloursAt(0.2), await coloursAt(0.8)]
      seen.push(before[0], after[0])
    }
    assert.strictEqual(new Set(seen).size, 4, seen.join(" and "))
    assert.notInclude(seen, undefined)
  })

  it("had no fault in all of that", () => assert.deepStrictEqual(watched().faults, []))
})
