/** Large files, which go on where they broke off. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Browser, Route } from "playwright-core"
import { afterAll } from "vitest"
import { because } from "../servers/because.js"
import { browserMissing, openPage, signIn } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

const MEBIBYTE = 1024 * 1024
/** Where the bytes of a file go. */
const BYTES = /\/uploads\/[^/]+\/[0-9a-f-]+\.\w+\?/
const PART = /\/uploads\/[^/]+\/[0-9a-f-]+\.bin\?/

let server: ConsoleServer
let browser: Browser
let folder: string

serve({}, (given) => {
  ;({ server, browser } = given)
  folder = mkdtempSync(join(tmpdir(), "earmark-uploads-"))
})

afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(browserMissing !== null)(`an upload in the console${because(browserMissing)}`, () => {
  it("goes on with what is missing after the page was closed", async () => {
    // Three parts of 5 MiB and one of 3.
    const file = join(folder, "long-talk.mp3")
    writeFileSync(file, Buffer.alloc(18 * MEBIBYTE, "ID3 sound "))
    const { page, faults, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)

    const client = new EarmarkClient({ baseUrl: server.origin, apiKey: server.key })
    const sent: Array<number> = []
    let isOnline = false
    // A part that was sent is kept only once the server has answered.
    const twoKept = new Promise<void>((resolve) => {
      let kept = 0
      page.on("response", (response) => {
        if (PART.test(response.url()) && response.ok() && ++kept === 2) resolve()
      })
    })
    await page.route(PART, (route) => {
      if (!isOnline && sent.length === 2) return
      sent.push(Number(new URL(route.request().url()).searchParams.get("bytes")))
      return route.continue()
    })
    const begin = async () => {
      await page.goto(`${server.origin}/console/new`)
      await page.locator("input[type=file]").setInputFiles(file)
      await page.getByRole("button", { name: "Upload 1 file" }).click()
    }
    await begin()
    await page.getByText(/Uploading 5[56]%/).waitFor()
    await twoKept
    // The closed page asks for its next part no more, so that all that is sent from here on is of the new one.
    await page.goto("about:blank")

    sent.length = 0
    isOnline = true
    await begin()
    // What it costs is seen before it is begun.
    await page.getByText("long-talk.mp3").waitFor()
    await page.getByText("uploaded").waitFor()
    await page.locator(".price[role=status]").waitFor()
    assert.strictEqual((await client.transcriptions.list({})).data.length, 0)
    await page.getByRole("button", { name: /^Transcribe( for \d+ credits?)?$/ }).click()
    await page.getByRole("heading", { name: "long-talk" }).waitFor()
    assert.deepStrictEqual(sent, [5 * MEBIBYTE, 3 * MEBIBYTE])
    await page.locator(".text p").first().waitFor()
    // Once it is there, nothing is remembered of it.
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("upload")))
    assert.deepStrictEqual(kept, [])
    await close()
    assert.deepStrictEqual(faults, [])
  })

  it("leaves out files without bytes and files that are no recording, and says so", {
    timeout: 60_000,
  }, async () => {
    const { page, faults, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/new`)
    await page.getByRole("button", { name: "Choose files" }).first().waitFor()
    assert.strictEqual(await page.getByLabel("Choose files").count(), 0)
    assert.strictEqual(await page.getByRole("button", { name: "Choose files" }).count(), 1)
    const files = [
      { name: "empty.mp3", mimeType: "audio/mpeg", buffer: Buffer.alloc(0) },
      { name: "talk.mp3", mimeType: "audio/mpeg", buffer: Buffer.alloc(1000, 1) },
    ]
    await page.locator("input[type=file]").setInputFiles(files)
    await page.getByText("empty.mp3 is empty and was left out.").waitFor()
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF") })
    await page.getByText("notes.pdf is not audio or video and was left out.").waitFor()
    assert.deepStrictEqual(await page.locator(".files .name").allTextContents(), ["talk.mp3"])
    await page.getByRole("button", { name: "Upload 1 file" }).waitFor()
    await close()
    assert.deepStrictEqual(faults, [])
  })

  const recordings = (...names: ReadonlyArray<string>) =>
    names.map((name, at) => ({
      name,
      mimeType: "audio/mpeg",
      buffer: Buffer.alloc(2000, `ID3 ${name}${at}`),
    }))

  /** A page with files that are chosen, and what each is sent with, in order. */
  const choose = async (...names: ReadonlyArray<string>) => {
    const opened = await openPage(browser, server.origin)
    const { page } = opened
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/new`)
    await page.locator("input[type=file]").setInputFiles(recordings(...names))
    return { ...opened, row: (name: string) => page.locator(".files li", { hasText: name }) }
  }

  it("does nothing more for a file that is taken off the list, whether it waits or is on its way", async () => {
    const { page, row, faults, close } = await choose("one.mp3", "two.mp3", "three.mp3")
    const held: Array<Route> = []
    const begun: Array<string> = []
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/api/v1/uploads"))
        begun.push(request.postDataJSON().filename)
    })
    const bothHeld = new Promise<void>((resolve) => {
      void page.route(BYTES, (route) => {
        if (held.push(route) === 2) resolve()
      })
    })
    await page.getByRole("button", { name: "Upload 3 files" }).click()
    await bothHeld
    await page.getByRole("button", { name: "Remove three.mp3" }).click()
    await page.getByRole("button", { name: "Remove one.mp3" }).click()
    for (const route of held) await route.continue().catch(() => undefined)
    await row("two.mp3").getByText("uploaded").waitFor()
    await page.getByRole("button", { name: /^Transcribe( for \d+ credits?)?$/ }).waitFor()
    assert.deepStrictEqual(await page.locator(".files .name").allTextContents(), ["two.mp3"])
    assert.sameMembers(begun, ["one.mp3", "two.mp3"])
    await close()
    assert.deepStrictEqual(faults, [])
  })

  it("says at a file why it did not arrive, goes on with the others, and sends none of them twice", async () => {
    const { page, row, close } = await choose("one.mp3", "two.mp3", "three.mp3")
    const begun: Array<string> = []
    await page.route("**/api/v1/uploads", (route) => {
      const { filename } = route.request().postDataJSON()
      begun.push(filename)
      if (filename !== "one.mp3" || begun.length > 3) return route.continue()
      const detail = "The file is larger than an upload may be."
      const body = { type: "about:blank", title: "Too large", status: 413, code: "too_large", detail }
      return route.fulfill({
        status: 413,
        contentType: "application/problem+json",
        body: JSON.stringify(body),
      })
    })
    await page.getByRole("button", { name: "Upload 3 files" }).click()
    await row("three.mp3").getByText("uploaded").waitFor()
    await row("one.mp3").getByText("The file is larger than an upload may be.").waitFor()
    await page.getByRole("button", { name: "Upload 1 file" }).click()
    await row("one.mp3").getByText("uploaded").waitFor()
    assert.deepStrictEqual(begun.toSorted(), ["one.mp3", "one.mp3", "three.mp3", "two.mp3"])
    await close()
  })

  it("leaves out captions, which browsers know nothing of", async () => {
    const { page, close } = await choose("talk.mp3")
    const endings = ["srt", "vtt", "ass", "ssa", "sub", "sbv", "ttml", "scc", "stl", "LRC"]
    const mimeType = "application/octet-stream"
    await page
      .locator("input[type=file]")
      .setInputFiles(
        endings.map((ending) => ({ name: `talk.${ending}`, mimeType, buffer: Buffer.from("1\n") })),
      )
    for (const ending of endings)
      await page.getByText(`talk.${ending} is not audio or video and was left out.`).waitFor()
    assert.deepStrictEqual(await page.locator(".files .name").allTextContents(), ["talk.mp3"])
    await close()
  })

  it("says nothing more of a file that did not arrive once it is taken off the list", async () => {
    const { page, row, close } = await choose("one.mp3", "two.mp3")
    const detail = "Expected a media type."
    const body = JSON.stringify({
      type: "about:blank",
      title: "No",
      status: 400,
      code: "invalid_request",
      detail,
    })
    await page.route("**/api/v1/uploads", (route) =>
      route.request().postDataJSON().filename === "one.mp3"
        ? route.fulfill({ status: 400, contentType: "application/problem+json", body })
        : route.continue(),
    )
    await page.getByRole("button", { name: "Upload 2 files" }).click()
    await page.getByRole("alert").getByText(detail).waitFor()
    await page.getByRole("button", { name: "Remove two.mp3" }).click()
    await row("two.mp3").waitFor({ state: "detached" })
    assert.strictEqual(await page.getByText(detail).count(), 2)
    await page.getByRole("button", { name: "Remove one.mp3" }).click()
    await row("one.mp3").waitFor({ state: "detached" })
    assert.strictEqual(await page.getByText(detail).count(), 0)
    await close()
  })

  it("asks before files are left that have arrived and are not transcribed", async () => {
    const { page, faults, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console`)
    await page.getByRole("main").getByText("New transcription").first().click()
    await page.locator("input[type=file]").setInputFiles(recordings("one.mp3"))
    const asked: Array<string> = []
    let mayLeave = false
    page.on("dialog", (dialog) => {
      asked.push(dialog.type())
      void (mayLeave ? dialog.accept() : dialog.dismiss())
    })
    const shows = page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Shows" })
    await page.getByRole("button", { name: "Upload 1 file" }).click()
    await page.getByText("uploaded").waitFor()
    await shows.click()
    await page.evaluate(() => history.back())
    await page.waitForFunction(() => location.pathname === "/console/new")
    const question = page.waitForEvent("dialog")
    await page.evaluate(() => location.reload())
    await question
    assert.deepStrictEqual(asked, ["confirm", "confirm", "beforeunload"])
    assert.deepStrictEqual(await page.locator(".files .name").allTextContents(), ["one.mp3"])
    assert.strictEqual(new URL(page.url()).pathname, "/console/new")
    mayLeave = true
    await shows.click()
    await page.getByRole("heading", { name: "Shows", exact: true }).waitFor()
    assert.strictEqual(asked.length, 4)
    await page.goBack()
    await page.getByRole("heading", { name: "New transcription" }).waitFor()
    assert.strictEqual(await page.locator(".files").count(), 0)
    await shows.click()
    await page.getByRole("heading", { name: "Shows", exact: true }).waitFor()
    // Nothing is asked where nothing is lost.
    assert.strictEqual(asked.length, 4)
    await close()
    assert.deepStrictEqual(faults, [])
  })
})
