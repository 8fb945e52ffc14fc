import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import { type Seeded, seed } from "./seed.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let seeded: Seeded
let watched: Watched

setUp({ page: { viewport: { width: 1100, height: 800 } }, signsIn: false }, async (given) => {
  ;({ server, watched } = given)
  seeded = await seed(server.origin, server.key)
})

/** What has the focus, by its name. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document
    const labels = activeElement instanceof HTMLInputElement ? [...(activeElement.labels ?? [])] : []
    const name =
      activeElement?.getAttribute("aria-label") ?? labels[0]?.textContent ?? activeElement?.textContent
    return (name ?? "").trim()
  })

const focusedTag = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.tagName ?? "")

/** Goes on with Tab until something of that name has the focus. */
const tabTo = async (page: Page, name: string) => {
  for (let tries = 0; tries < 80; tries++) {
    if ((await focused(page)).startsWith(name)) return
    await page.keyboard.press("Tab")
  }
  assert.fail(`Tab never came to "${name}"; the focus is on "${await focused(page)}"`)
}

describe.skipIf(browserMissing !== null)(`without a mouse${because(browserMissing)}`, () => {
  it("signs in", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console`)
    await page.getByLabel("API key").waitFor()
    await tabTo(page, "API key")
    for (const wrong of ["x".repeat(600), "em_live_not-a-key"]) {
      await page.keyboard.press("Control+a")
      await page.keyboard.type(wrong)
      await page.keyboard.press("Enter")
      await page.getByText("This key is not valid").waitFor()
    }
    await page.keyboard.press("Control+a")
    await page.keyboard.type(server.key)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Transcripts", exact: true }).waitFor()
  })

  it("makes a key, whose value is shown once, and revokes it", async () => {
    const { page } = watched
    await tabTo(page, "Keys")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor()
    await page.waitForFunction(() => document.activeElement?.id === "main")
    await tabTo(page, "Create key")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    // Dialogs begin with what is to be filled in.
    assert.strictEqual(await focused(page), "Name")
    await page.keyboard.type("Keyboard only")
    await page.keyboard.press("Enter")
    const value = page.getByRole("textbox", { name: "Your new key" })
    await value.waitFor()
    const key = await value.inputValue()
    assert.match(key, /^em_live_/)
    // Esc must not lose what is shown once.
    await page.keyboard.press("Escape")
    assert.isTrue(await value.isVisible())
    await tabTo(page, "I have saved it")
    await page.keyboard.press("Enter")
    await value.waitFor({ state: "detached" })
    assert.strictEqual(await focused(page), "Create key")
    assert.notInclude(await page.content(), key)
    await tabTo(page, "Revoke Keyboard only")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    await tabTo(page, "Revoke")
    await page.keyboard.press("Enter")
    await page.getByText("revoked").waitFor()
    assert.notStrictEqual(await focusedTag(page), "BODY")
  })

  it("keeps its place where a button goes away, and leaves a menu that it has left", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${seeded.transcript}`)
    await page.getByText("Good morning, and welcome").first().waitFor()
    await tabTo(page, "More")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Publish" }).waitFor()
    await tabTo(page, "Rename")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    assert.strictEqual(await focused(page), "Title")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.keyboard.press("Enter")
    await tabTo(page, "Rename")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Publish" }).waitFor({ state: "hidden" })
    assert.match(await focused(page), /^More/)
    await page.keyboard.press("Enter")
    await tabTo(page, "Delete")
    await page.keyboard.press("Tab")
    await page.getByRole("button", { name: "Publish" }).waitFor({ state: "hidden" })
    await page.keyboard.press("Shift+Tab")
    await tabTo(page, "More")
    await page.keyboard.press("Enter")
    await tabTo(page, "Publish")
    await page.keyboard.press("Enter")
    await page.getByText("The transcript gets public addresses").waitFor()
    await tabTo(page, "Publish")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Copy Page" }).waitFor()
    assert.notStrictEqual(await focusedTag(page), "BODY")
    await tabTo(page, "Take it back")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Take it back now" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("The transcript gets public addresses").waitFor()
    assert.notStrictEqual(await focusedTag(page), "BODY")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
  })

  it("narrows the list while one types, and has it whole again", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console`)
    const rows = page.locator("tbody tr")
    await rows.nth(5).waitFor()
    await tabTo(page, "Filter by title")
    await page.keyboard.type("harbour ")
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1)
    // The blank stays: another word may follow.
    await page.keyboard.type("master")
    await page.waitForFunction(() => location.search === "?q=harbour+master")
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1)
    await page.keyboard.press("Control+a")
    await page.keyboard.press("Delete")
    await rows.nth(5).waitFor()
    assert.strictEqual(await focused(page), "Filter by title")
  })

  it("finds words in a transcript, moves by lines, and names a speaker", async () => {
    const { page } = watched
    let release = () => {}
    const typed = new Promise<void>((resolve) => {
      release = resolve
    })
    const WORDS = /\/words(\?|$)/
    await page.route(WORDS, async (route) => {
      await typed
      await route.continue()
    })
    await page.goto(`${server.origin}/console/t/${seeded.transcript}`)
    await page.getByText("Good morning, and welcome").first().waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("salt")
    // A key that comes before the matches are looked for skips none of them.
    await page.keyboard.press("Enter")
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.keyboard.press("Enter")
    await page.getByText(/^2 of \d+$/).waitFor()
    assert.strictEqual(new URL(page.url()).searchParams.get("q"), "salt")
    await tabTo(page, "Rename Speaker 2")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    await page.keyboard.type("Ben <b>Ode</b>")
    // What comes meanwhile draws the page anew, and leaves what was typed.
    const words = page.waitForResponse(WORDS).then((response) => response.finished())
    release()
    await words
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100))))
    await page.keyboard.press("Enter")
    await page.locator('.text [data-speaker="Ben <b>Ode</b>"]').first().waitFor({ state: "attached" })
    await page.locator("dialog").waitFor({ state: "detached" })
    assert.include(await focused(page), "Rename Ben <b>Ode</b>")
    // What a letter takes back is what was done last.
    await page.keyboard.press("u")
    await page.locator('.text [data-speaker="Speaker 2"]').first().waitFor({ state: "attached" })
    await seeded.client.transcriptions.update(seeded.transcript, {
      speakers: { "Speaker 2": "Ben <b>Ode</b>" },
    })
    // Out of the field and into the text, whose line stands beside it.
    await page.keyboard.press("/")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.activeElement?.matches(".text p"))
    await page.locator("section.line h2").waitFor()
    await page.locator("h1").first().click()
    await page.keyboard.press("j")
    await page.waitForFunction(() => document.activeElement?.matches(".text p"))
    await page.locator('.text p[tabindex="0"]').focus()
    const line = () => page.evaluate(() => document.activeElement?.textContent ?? "")
    const before = await line()
    await page.keyboard.press("j")
    assert.notStrictEqual(await line(), before)
    await page.keyboard.press("k")
    assert.strictEqual(await line(), before)
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => location.search.includes("line="))
  })

  it("uploads a file and reads its text", async () => {
    const { page } = watched
    const chosen = page.waitForEvent("filechooser")
    await page.goto(`${server.origin}/console/new`)
    await page.getByRole("heading", { name: "New transcription" }).waitFor()
    await tabTo(page, "Choose files")
    await page.keyboard.press("Enter")
    const chooser = await chosen
    await chooser.setFiles({ name: "talk.wav", mimeType: "audio/wav", buffer: Buffer.alloc(200_000, 1) })
    await tabTo(page, "Upload 1 file")
    await page.keyboard.press("Enter")
    // What it costs has been there long enough to be read.
    await page.locator("button:not([aria-disabled=true])", { hasText: "Transcribe" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "talk" }).waitFor()
    await page.locator(".text p").first().waitFor()
  })

  it("previews captions as the file has them", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${seeded.transcript}?view=export`)
    await page.locator(".cues li").first().waitFor()
    const shown = () =>
      page
        .locator(".cues li p")
        .evaluateAll((cues) =>
          cues.map((cue) =>
            [...cue.childNodes].map((node) => (node.nodeName === "BR" ? "\n" : node.textContent)).join(""),
          ),
        )
    const cuesOf = async (options: { readonly speakers?: false; readonly max_chars_per_line?: number }) => {
      const asked = { format: "srt", ...options } as const
      const file = await seeded.client.transcriptions.export(seeded.transcript, asked).text()
      return file
        .replaceAll("\u2060", "")
        .trim()
        .split("\n\n")
        .map((cue) => cue.split("\n").slice(2).join("\n"))
    }
    const named = await cuesOf({})
    assert.isTrue(named.some((cue) => cue.startsWith("Ann Whitlock: ")))
    assert.deepStrictEqual(await shown(), named)
    await tabTo(page, "Characters a line")
    // What was shown stays until the next file is there, so that nothing jumps away from the pointer.
    const EXPORT = /\/export\?/
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(EXPORT, async (route) => {
      await held
      await route.continue()
    })
    const begun = page.waitForRequest(EXPORT)
    await page.keyboard.type("20")
    await begun
    assert.deepStrictEqual(await shown(), named)
    release()
    const narrow = await cuesOf({ max_chars_per_line: 20 })
    assert.isAbove(narrow.length, named.length)
    await tabTo(page, "Name the speakers")
    await page.waitForFunction(
      (count) => document.querySelectorAll(".cues li").length === count,
      narrow.length,
    )
    assert.deepStrictEqual(await shown(), narrow)
    await page.keyboard.press("Space")
    const unnamed = await cuesOf({ speakers: false, max_chars_per_line: 20 })
    await page.waitForFunction(
      (first) => document.querySelector(".cues li p")?.textContent === first,
      unnamed[0]?.replaceAll("\n", ""),
    )
    assert.deepStrictEqual(await shown(), unnamed)
  })

  it("previews a name that has a line of its own, and the one after it", async () => {
    const { page } = watched
    const turns = [
      "Ann: What is it?",
      "Ben: A ladder.",
      "Ann:\nAnd what does a good one cost?",
      "Ben: A lot.",
    ]
    const cues = [...turns, ...turns, ...turns]
    const stamp = (seconds: number) => `00:00:${String(seconds).padStart(2, "0")},260`
    const blocks = cues.map((cue, at) => `${at + 1}\n${stamp(at * 4)} --> ${stamp(at * 4 + 3)}\n${cue}\n\n`)
    await page.route(/\/export\?/, (route) =>
      route.fulfill({ contentType: "application/x-subrip", body: blocks.join("") }),
    )
    await page.goto(`${server.origin}/console/t/${seeded.transcript}?view=export`)
    await page.locator(".cues li").first().waitFor()
    const shown = await page.locator(".cues li p").allInnerTexts()
    await page.unroute(/\/export\?/)
    assert.deepStrictEqual(shown, cues)
    assert.deepStrictEqual((await page.locator(".cues li time").allInnerTexts()).slice(0, 2), [
      "0:00.2 – 0:03.2",
      "0:04.2 – 0:07.2",
    ])
  })

  it("sends a delivery again and sees it arrive", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/webhooks/${seeded.endpoint}/${seeded.delivery}`)
    await page.getByText("Attempt 1").waitFor()
    await tabTo(page, "Send again")
    await page.keyboard.press("Enter")
    await page.getByText("Attempt 2").waitFor()
    assert.deepStrictEqual(watched.faults, [])
  })
})
