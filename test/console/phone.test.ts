/** Reading and correcting on a phone: what stands beside the text elsewhere is a sheet at the lower edge. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, openBrowser, openPage, signIn, type Watched } from "./browser.js"
import { risingTone } from "./recording.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let browser: Browser
let watched: Watched
let client: EarmarkClient
let id: string

setUp(
  {
    server: { decodes: true },
    page: {
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
    },
  },
  async (given) => {
    ;({ server, browser, watched, client } = given)
    await client.credits.purchase({ credits: 100 })
    const { media_ref } = await client.upload(risingTone(60), { filename: "a.wav", contentType: "audio/wav" })
    id = (await client.transcribe({ media_ref }, { title: "A tour", diarize: true })).id
  },
)

describe.skipIf(browserMissing !== null)(`a transcript on a phone${because(browserMissing)}`, () => {
  it("begins with its text, on the first screen", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}`)
    const first = page.locator(".text p").first()
    await first.waitFor()
    assert.isBelow((await first.boundingBox())?.y ?? Number.POSITIVE_INFINITY, 600)
    const gap = async () => {
      const [sheet, player] = [
        await page.locator(".sheet details").boundingBox(),
        await page.locator(".player").boundingBox(),
      ]
      return (player?.y ?? 0) - (sheet?.y ?? 0) - (sheet?.height ?? 0)
    }
    await page.locator(".player .clock").waitFor()
    assert.closeTo(await gap(), 0, 1)
  })

  it("has boxes in the list that a finger hits", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console`)
    const box = await page.getByRole("checkbox", { name: "Select A tour" }).boundingBox()
    assert.isAtLeast(Math.min(box?.width ?? 0, box?.height ?? 0), 24)
  })

  it("shows what is left to spend, also in a narrow window, and has the page of it by its name", async () => {
    const { page } = watched
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${server.origin}/console`)
      await page.locator("header.top .bar").getByText("credits").waitFor()
      assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), width)
    }
    await page.goto(`${server.origin}/console/credits`)
    await page.getByRole("heading", { name: "Credits", exact: true }).waitFor()
  })

  it("changes the view with a list instead of tabs", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}`)
    const views = page.getByRole("combobox", { name: "Views of this transcript" })
    for (const width of [320, 480]) {
      await page.setViewportSize({ width, height: 800 })
      await views.waitFor()
      assert.strictEqual(await page.locator(".tabs a:visible").count(), 0)
      await views.selectOption({ label: "History" })
      await page.waitForURL(/view=history/)
      await views.selectOption({ label: "Text" })
      await page.locator(".text p").first().waitFor()
      await page.locator(".actions .menu > summary").tap()
      await page.locator(".actions .menu .panel").waitFor()
      const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      assert.isAtMost(wide ?? 0, seen ?? 0)
      await page.locator(".actions .menu > summary").tap()
    }
    await page.setViewportSize({ width: 390, height: 800 })
  })

  it("changes the view with keys where the window is as narrow, and keeps the focus there", async () => {
    const { page, faults } = await openPage(browser, server.origin, { viewport: { width: 320, height: 800 } })
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/t/${id}`)
    const views = page.getByRole("combobox", { name: "Views of this transcript" })
    await views.focus()
    await page.keyboard.press("ArrowDown")
    await page.waitForURL(/view=summary/)
    assert.isTrue(await views.evaluate((select) => select === document.activeElement))
    assert.strictEqual(await views.locator("option:checked").textContent(), "Summary")
    assert.deepStrictEqual(faults, [])
    await page.close()
  })

  it("shows what has the focus above the player, wherever keys move it", async () => {
    const { page } = await openPage(browser, server.origin, { viewport: { width: 1280, height: 560 } })
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/t/${id}?view=export`)
    await page.getByRole("checkbox", { name: "Name the speakers" }).waitFor()
    await page.locator(".player .clock").waitFor()
    await page.getByRole("combobox", { name: "Format" }).focus()
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press("Tab")
      const covered = await page.evaluate(() => {
        const [focused, player] = [document.activeElement, document.querySelector(".player")]
        if (focused === null || player === null || player.contains(focused)) return 0
        return focused.getBoundingClientRect().bottom - player.getBoundingClientRect().top
      })
      assert.isAtMost(covered, 0)
    }
    await page.close()
  })

  it("shows the line that keys go to above the sheet, also in a low window", async () => {
    const { page, close } = await openPage(browser, server.origin, { viewport: { width: 640, height: 400 } })
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/t/${id}`)
    await page.locator(".player .clock").waitFor()
    await page.locator(".text p").first().focus()
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press("j")
      const covered = await page.evaluate(() => {
        const [focused, sheet] = [document.activeElement, document.querySelector(".sheet details")]
        if (focused === null || sheet === null) return Number.NaN
        return focused.getBoundingClientRect().bottom - sheet.getBoundingClientRect().top
      })
      assert.isAtMost(covered, 0)
    }
    await close()
  })

  it("has a menu as wide as the window, in two columns of one width", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console`)
    await page.getByRole("button", { name: "Menu" }).tap()
    const lists = page.locator("nav#menu ul")
    const columns = await lists.evaluateAll((found) =>
      found.map((list) => getComputedStyle(list).gridTemplateColumns.split(" ").map(Number.parseFloat)),
    )
    assert.isAtLeast(columns.length, 2)
    for (const [left = 0, right = 0] of columns) {
      assert.closeTo(left, right, 1)
      assert.isAbove(left + right, 320)
    }
  })

  it("opens the line that was tapped, and saves what is typed into it", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}`)
    await page.locator(".text p").nth(2).tap()
    await page
      .locator(".sheet summary")
      .filter({ hasText: /^Line 3 · 0:\d\d$/ })
      .tap()
    await page.getByRole("button", { name: "Edit this line" }).tap()
    assert.strictEqual(await page.locator(".sheet details[open]").count(), 0)
    const line = page.locator(".text p.editing")
    await line.waitFor()
    await page.keyboard.press("Control+A")
    await page.keyboard.type("I would like to see the old books.")
    await page.keyboard.press("Enter")
    await page.locator(".text p", { hasText: "I would like to see the old books." }).waitFor()
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor()
    const job = await client.transcriptions.get(id)
    assert.include(
      job.status === "done" ? job.segments.map(({ text }) => text) : [],
      "I would like to see the old books.",
    )
  })

  it("stands above the player with all of a line's tools, below the line itself, wherever the page is scrolled to", async () => {
    const { page } = watched
    for (const [width, height] of [
      [390, 660],
      [390, 844],
      // A laptop at 200 %, and a telephone on its side.
      [640, 400],
      [720, 450],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.goto(`${server.origin}/console/t/${id}`)
      await page.locator(".player .clock").waitFor()
      const line = page.locator(".text p").nth(1)
      await line.tap()
      await page.locator(".sheet summary").tap()
      await page.getByRole("button", { name: "Edit this line" }).waitFor()
      // The browser tells that it is open a moment later, and then the line is brought above it.
      await page.waitForFunction(() => {
        const sheet = document.querySelector(".sheet details")?.getBoundingClientRect().top ?? 0
        const line = document.querySelectorAll(".text p")[1]?.getBoundingClientRect().bottom
        return line !== undefined && line <= sheet
      })
      for (const to of ["open", "start", "end"]) {
        await page.evaluate((place) => {
          if (place !== "open") scrollTo(0, place === "end" ? document.documentElement.scrollHeight : 0)
        }, to)
        const [sheet, player, chosen] = await Promise.all([
          page.locator(".sheet details").boundingBox(),
          page.locator(".player").boundingBox(),
          line.boundingBox(),
        ])
        const end = (player?.y ?? 0) + (player?.height ?? 0)
        assert.closeTo((sheet?.y ?? 0) + (sheet?.height ?? 0), player?.y ?? -1, 1, to)
        assert.closeTo(end, height, 1, to)
        if (to !== "open") continue
        assert.isAtLeast(chosen?.y ?? -1, 0)
        assert.isAtMost((chosen?.y ?? 0) + (chosen?.height ?? 0), sheet?.y ?? 0)
      }
    }
    await page.setViewportSize({ width: 390, height: 800 })
  })

  it("shows the tools of the line that is edited, and that line below them, in every window", async () => {
    const large = await openBrowser({ fontSize: 32 })
    for (const [width, height, at] of [
      [640, 360, browser],
      [844, 390, browser],
      [320, 480, browser],
      [320, 256, browser],
      [1280, 300, browser],
      [1280, 720, large],
    ] as const) {
      const { page, close } = await openPage(at, server.origin, { viewport: { width, height } })
      await signIn(page, server.origin, server.key)
      await page.goto(`${server.origin}/console/t/${id}`)
      await page.locator(".player .clock").waitFor()
      for (const index of [0, 3, 7]) {
        const line = page.locator(".text p").nth(index)
        await line.focus()
        await page.keyboard.press("e")
        const [text, tools, ...buttons] = await Promise.all([
          page.locator(".text p.editing").boundingBox(),
          page.getByRole("toolbar", { name: "Edit this line" }).boundingBox(),
          ...["Save", "Cancel", "Split here"].map((name) =>
            page.getByRole("button", { name, exact: true }).boundingBox(),
          ),
        ])
        const of = `line ${index + 1} in ${width}x${height}`
        const endOf = (box: typeof text) => (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN)
        for (const button of buttons) {
          assert.isAtLeast(button?.y ?? -1, 0, of)
          assert.isAtMost(endOf(button), height, of)
        }
        const isBeside = (tools?.x ?? 0) >= (text?.x ?? 0) + (text?.width ?? 0)
        assert.isAtLeast(text?.y ?? -1, isBeside ? 0 : endOf(tools), of)
        assert.isAtMost(endOf(text), height, of)
        // Nothing else stands over it.
        const isFree = await line.evaluate((element) => {
          const { left, top, bottom } = element.getBoundingClientRect()
          return [top + 4, bottom - 4].every((y) => element.contains(document.elementFromPoint(left + 20, y)))
        })
        assert.isTrue(isFree, of)
        await page.keyboard.press("Shift+Escape")
      }
      await close()
    }
    await large.close()
  }, 60_000)

  it("tells lines of nobody from those of the speaker above, and the time of each line", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}`)
    const line = page.locator(".text p").nth(1)
    await line.tap()
    await page.locator(".sheet summary").tap()
    const speaker = page.getByRole("combobox", { name: "Speaker of this line" })
    await speaker.selectOption({ label: "No speaker" })
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor()
    const shown = () =>
      page
        .locator(".text p")
        .evaluateAll((lines) =>
          lines
            .slice(0, 3)
            .map((each) => [
              getComputedStyle(each, "::before").content,
              getComputedStyle(each, "::after").content,
            ]),
        )
    const [first, second, third] = await shown()
    assert.notInclude(first?.[0], "No speaker")
    assert.include(second?.[0], "No speaker")
    assert.notInclude(third?.[0], "No speaker")
    for (const [, time = ""] of await shown()) assert.match(time, /\d:\d\d/)
  })

  it("saves, gives up and undoes by buttons, where there are no such keys", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}`)
    const line = page.locator(".text p").nth(3)
    const before = await line.textContent()
    const begin = async () => {
      await line.tap()
      await page.locator(".sheet summary").tap()
      await page.getByRole("button", { name: "Edit this line" }).tap()
      await page.locator(".text p.editing").waitFor()
    }
    await begin()
    await page.keyboard.type(" and more")
    await page.getByRole("button", { name: "Cancel" }).tap()
    assert.strictEqual(await line.textContent(), before)
    await begin()
    await page.keyboard.type(" and more")
    await page.getByRole("button", { name: "Save", exact: true }).tap()
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor()
    assert.strictEqual(await line.textContent(), `${before} and more`)
    await page.getByRole("button", { name: "Undo", exact: true }).tap()
    await page.getByRole("status").filter({ hasText: "is undone" }).waitFor()
    await page.waitForFunction(
      (text) => document.querySelectorAll(".text p")[3]?.textContent === text,
      before,
    )
  })

  it("finds words from the sheet, which a key opens too", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}`)
    await page.locator(".text p").first().waitFor()
    await page.keyboard.press("/")
    assert.strictEqual(
      await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
      "Find in this transcript",
    )
    await page.keyboard.type("museum")
    await page.getByText(/^1 of \d+$/).waitFor()
    assert.deepStrictEqual(watched.faults, [])
  })
})
