/** Search in a transcript: matches in the text, on the timeline and in the sound. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, openPage, signIn } from "./browser.js"
import { HEIGHT, type Said, SECONDS, setUpSound } from "./listening.js"

const { server, browser, watched, talks, open } = setUpSound(["tone.wav"])

/** The moment that people read, in seconds. */
const timeShown = async (): Promise<number> => {
  const value = await watched().page.getByRole("slider", { name: "Position" }).getAttribute("aria-valuenow")
  return Number(value)
}

/** Waits until all of "price" was looked for: a part of it has other matches. */
const isFirstMatchSeen = async (page: Page, words: ReadonlyArray<Said>) => {
  const count = words.filter(({ text }) => text === "price").length
  await page.getByText(`1 of ${count}`, { exact: true }).waitFor()
  const top = await page
    .locator(".text p", { hasText: "price" })
    .first()
    .evaluate((line) => line.getBoundingClientRect().top)
  assert.isTrue(top > 0 && top < HEIGHT, `${top}`)
}

describe.skipIf(browserMissing !== null)(`what is heard${because(browserMissing)}`, () => {
  it("goes to the next match and back, which the timeline marks, and leaves the sound where it is", async () => {
    const { words } = await open("tone.wav", "?t=40")
    const { page } = watched()
    const starts = words.filter(({ text }) => text === "museum").map(({ start }) => start)
    assert.isAtLeast(starts.length, 2)
    await page.keyboard.press("/")
    await page.keyboard.type("museum")
    await page.getByText(`1 of ${starts.length}`).waitFor()
    // Whoever is still typing hears on.
    assert.closeTo((await timeShown()) - 40, 0, 1)
    const marked = await page.evaluate(
      ({ moments, length }) => {
        const context: OffscreenCanvasRenderingContext2D = Reflect.get(globalThis, "listening").picture()
        const { canvas } = context
        const colourAt = (moment: number) =>
          context.getImageData(Math.floor((moment / length) * canvas.width) + 1, 1, 1, 1).data.join()
        return moments.map(colourAt)
      },
      { moments: [...starts, 50], length: SECONDS },
    )
    assert.strictEqual(new Set(marked.slice(0, -1)).size, 1, marked.join(" "))
    assert.notInclude(marked.slice(0, -1), marked.at(-1))
    await page.keyboard.press("Enter")
    await page.getByText(`2 of ${starts.length}`).waitFor()
    await page.keyboard.press("Shift+Enter")
    await page.getByText(`1 of ${starts.length}`).waitFor()
    assert.closeTo((await timeShown()) - 40, 0, 1)
  })

  it("brings the first match into view, also where the address leads to a line", async () => {
    const { words } = await open("tone.wav", "?line=1")
    const { page } = watched()
    await page.keyboard.press("/")
    await page.keyboard.type("price")
    await isFirstMatchSeen(page, words)
  })

  it("scrolls to the first match of words typed as soon as the search field appears", async () => {
    const { id, words } = talks.get("tone.wav") ?? { id: "", words: [] }
    const own = await openPage(browser(), server().origin, { viewport: { width: 1100, height: HEIGHT } })
    await signIn(own.page, server().origin, server().key)
    await own.page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        const field = document.querySelector<HTMLInputElement>("[data-find]")
        if (field === null) return
        observer.disconnect()
        field.value = "price"
        field.dispatchEvent(new InputEvent("input", { bubbles: true }))
      }).observe(document, { childList: true, subtree: true })
    })
    await own.page.goto(`${server().origin}/console/t/${id}?line=1`)
    await isFirstMatchSeen(own.page, words)
    await own.close()
  })

  it("begins with the match that a search led to, which the timeline marks where it is heard", async () => {
    const { words } = talks.get("tone.wav") ?? { words: [] }
    const starts = words.filter(({ text }) => text === "museum").map(({ start }) => start)
    await open("tone.wav", `?t=${starts[1]}&q=museum`)
    const { page } = watched()
    await page.getByText(`2 of ${starts.length}`).waitFor()
    assert.isBelow(Math.abs((await timeShown()) - (starts[1] ?? 0)), 1)
    // At the word, and not at the beginning of its line: once the words have come.
    await page.waitForFunction(
      (share) => {
        const context: OffscreenCanvasRenderingContext2D = Reflect.get(globalThis, "listening").picture()
        const at = (x: number) => context.getImageData(Math.floor(x), 1, 1, 1).data.join()
        return at(context.canvas.width * share + 1) !== at(0)
      },
      (starts[0] ?? 0) / SECONDS,
    )
  })

  it("had no fault in all of that", () => assert.deepStrictEqual(watched().faults, []))
})
