import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { browserMissing } from "./browser.js"
import { SECONDS, setUpTalk } from "./playing.js"

const { server, watched, client, played, openTalk, audio } = setUpTalk()

/** What is marked as heard, with the moment that is heard, in one frame. */
const heard = () =>
  watched().page.evaluate(
    () =>
      new Promise<{ text: string; line: string; at: number }>((resolve) => {
        requestAnimationFrame(() => {
          const [range] = CSS.highlights.get("earmark-spoken") ?? []
          const element = Reflect.get(globalThis, "player") as HTMLAudioElement
          resolve({
            text: range === undefined ? "" : String(range),
            line: document.querySelector(".text p.spoken")?.textContent ?? "",
            at: element.currentTime,
          })
        })
      }),
  )

describe.skipIf(browserMissing !== null)(`the player${because(browserMissing)}`, () => {
  it("plays, and marks the word that is heard", async () => {
    const page = await openTalk()
    await page.getByRole("button", { name: "Play" }).click()
    await page.waitForFunction(() => (Reflect.get(globalThis, "player") as HTMLAudioElement).currentTime > 1)
    const job = await client().transcriptions.get(played(), { include: "words" })
    assert.strictEqual(job.status, "done")
    if (job.status !== "done") return
    const words = job.segments.flatMap((segment) => segment.words ?? [])
    for (let look = 0; look < 10; look++) {
      const { text, at } = await heard()
      const near = words.filter(({ start, end }) => start <= at + 0.06 && end >= at - 0.06)
      assert.include(
        near.map((word) => word.text),
        text,
        `at ${at}`,
      )
      await page.waitForTimeout(150)
    }
    await page.keyboard.press("Space")
    assert.isTrue((await audio()).paused)
  })

  it("is led by keys: back, forward, faster, slower", async () => {
    const page = await openTalk("?t=20")
    assert.closeTo((await audio()).currentTime, 20, 0.15)
    await page.locator("h1").click()
    await page.keyboard.press(".")
    await page.waitForFunction(
      () => Math.abs((Reflect.get(globalThis, "player") as HTMLAudioElement).currentTime - 25) < 0.15,
    )
    await page.keyboard.press(",")
    await page.keyboard.press(",")
    await page.waitForFunction(
      () => Math.abs((Reflect.get(globalThis, "player") as HTMLAudioElement).currentTime - 15) < 0.15,
    )
    await page.keyboard.press(">")
    assert.strictEqual((await audio()).playbackRate, 1.25)
    await page.keyboard.press("<")
    assert.strictEqual((await audio()).playbackRate, 1)
    assert.isTrue((await audio()).paused, "an address with a moment waits there")
  })

  it("seeks to the word that is clicked, and by the slider", async () => {
    const page = await openTalk()
    const place = await page.evaluate(() => {
      const line = document.querySelectorAll(".text p")[3]
      const range = new Range()
      const node = line?.firstChild as Text
      const from = node.data.indexOf(" ") + 2
      range.setStart(node, from)
      range.setEnd(node, from + 1)
      const { x, y, width, height } = range.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2, word: node.data.split(" ")[1] }
    })
    await page.mouse.click(place.x, place.y)
    await page.waitForFunction(
      (word) => String([...(CSS.highlights.get("earmark-spoken") ?? [])][0]) === word,
      place.word,
    )
    const slider = page.getByRole("slider", { name: "Position" })
    await slider.focus()
    await page.keyboard.press("End")
    await page.waitForFunction(
      (end) => Math.abs((Reflect.get(globalThis, "player") as HTMLAudioElement).currentTime - end) < 0.15,
      SECONDS,
    )
    await page.keyboard.press("Home")
    await page.waitForFunction(
      () => (Reflect.get(globalThis, "player") as HTMLAudioElement).currentTime === 0,
    )
    assert.strictEqual(await slider.getAttribute("aria-valuetext"), "0:00 of 1:00")
  })

  it("opens the line that is clicked twice while it plays, wherever in the window it stands", async () => {
    await watched().page.setViewportSize({ width: 1280, height: 560 })
    const page = await openTalk()
    await page.keyboard.press("Space")
    await page.waitForFunction(() => (Reflect.get(globalThis, "player") as HTMLAudioElement).currentTime > 0)
    // The last line that is in sight above the player: hearing it brings it to the middle of the window.
    const { number, x, y, text } = await page.evaluate(() => {
      const edge = document.querySelector(".player")?.getBoundingClientRect().top ?? innerHeight
      const lines = [...document.querySelectorAll(".text p")]
      const number = lines.findLastIndex((line) => line.getBoundingClientRect().bottom < edge)
      const box = lines[number]?.getBoundingClientRect() ?? new DOMRect()
      return { number, x: box.x + 40, y: box.y + 12, text: lines[number]?.textContent ?? "" }
    })
    assert.isAbove(y, 560 * 0.5)
    for (const wait of [250, 0]) {
      await page.mouse.click(x, y, { clickCount: wait === 0 ? 2 : 1 })
      await page.waitForTimeout(wait)
    }
    const edited = page.locator(".text p[contenteditable]")
    await edited.waitFor()
    assert.strictEqual(await edited.textContent(), text, `line ${number}`)
    await page.keyboard.press("Shift+Escape")
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  it("marks the first word of a line that is clicked, also at the very beginning", async () => {
    const page = await openTalk()
    for (const line of [0, 1, 2, 3, 0]) {
      const { x, y, word } = await page.evaluate((at) => {
        const node = document.querySelectorAll(".text p")[at]?.firstChild as Text
        const range = new Range()
        range.setStart(node, 0)
        range.setEnd(node, 1)
        const box = range.getBoundingClientRect()
        return { x: box.x + 2, y: box.y + box.height / 2, word: node.data.split(" ")[0] }
      }, line)
      await page.mouse.click(x, y)
      await page.waitForFunction(
        ([at, wanted]) => {
          const [range] = CSS.highlights.get("earmark-spoken") ?? []
          const spoken = document.querySelectorAll(".text p")[at as number]
          return spoken?.classList.contains("spoken") && String(range) === wanted
        },
        [line, word],
        { timeout: 5000 },
      )
      // It stays there once the recording is there.
      await page.waitForTimeout(300)
      assert.strictEqual((await heard()).text, word)
    }
  })

  it("plays and pauses with the space bar after a click on the timeline", async () => {
    const page = await openTalk()
    const slider = page.getByRole("slider", { name: "Position" })
    await slider.click()
    await page.keyboard.press("Space")
    await page.getByRole("button", { name: "Pause" }).waitFor()
    await page.keyboard.press("Space")
    await page.getByRole("button", { name: "Play" }).waitFor()
    const before = (await audio()).currentTime
    await page.keyboard.press("ArrowLeft")
    await page.waitForFunction(
      (at) => (Reflect.get(globalThis, "player") as HTMLAudioElement).currentTime < at - 4,
      before,
    )
  })

  it("says what was saved beside its buttons, where it covers no text", async () => {
    const page = await openTalk()
    await page.locator(".text p").nth(1).focus()
    await page.keyboard.press("e")
    await page.keyboard.type(" More.")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Undo", exact: true }).waitFor()
    const boxOf = async (name: string) =>
      (await page.locator(name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [said, player, clock, speed] = [
      await boxOf(".corrected"),
      await boxOf(".player .strip"),
      await boxOf(".clock > .soft"),
      await boxOf(".controls select"),
    ]
    assert.isAtLeast(said.y, player.y + player.height)
    assert.isAtLeast(said.x, clock.x + clock.width)
    assert.isAtMost(said.x + said.width, speed.x)
    await page.keyboard.press("u")
    await page.getByText("The correction is undone").waitFor()
  })

  it("stands at the lower edge of the window, also below a view that is shorter", async () => {
    const { page } = watched()
    for (const [width, height] of [
      [1280, 860],
      [390, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(`${server().origin}/console/t/${played()}?view=summary`)
      await page.locator(".player .clock").waitFor()
      await page.getByRole("heading", { name: "Chapters" }).waitFor()
      const box = await page.locator(".player").boundingBox()
      assert.closeTo((box?.y ?? 0) + (box?.height ?? 0), height, 1)
      assert.isAtMost(await page.evaluate(() => document.documentElement.scrollHeight), height)
    }
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  it("has one row of buttons in the narrowest window", async () => {
    const { page } = watched()
    await page.setViewportSize({ width: 240, height: 700 })
    await openTalk()
    const tops = await page
      .locator(".controls > *")
      .evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect()).map(({ y, height }) => y + height / 2),
      )
    for (const top of tops) assert.closeTo(top, tops[0] ?? 0, 3)
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  it("offers a Word file for download where its preview would be", async () => {
    const { page } = watched()
    await page.goto(`${server().origin}/console/t/${played()}?view=export`)
    await page.getByLabel("Format").selectOption("docx")
    const preview = page.getByRole("region", { name: "Preview" })
    await preview.getByText("A Word file has no preview here.").waitFor()
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      preview.getByRole("button", { name: "Download the Word file" }).click(),
    ])
    assert.match(file.suggestedFilename(), /\.docx$/)
  })

  it("had no fault in all of that", () => assert.deepStrictEqual(watched().faults, []))
})
