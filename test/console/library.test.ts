/** The library of a machine in the browser, by the real command: `earmark console` where no server answers. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { realpathSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { assert, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { bin } from "../e2e/earmark.js"
import { makeWorlds } from "../e2e/worlds.js"
import { because } from "../servers/because.js"
import { browserMissing, findings, openBrowser, openPage, type Watched } from "./browser.js"
import { editLine } from "./editing.js"
import { risingTone } from "./recording.js"

const { world, close } = makeWorlds("console-library")
const here = world()

let browser: Browser
let watched: Watched
let command: ChildProcess
let url: string
let id: string

const transcribe = async (name: string, seconds: number) => {
  writeFileSync(join(here.folder, `${name}.wav`), risingTone(seconds))
  const { code, stderr } = await here.run(`${name}.wav`, "-f", "srt", "-o", "out/")
  assert.strictEqual(code, 0, stderr)
}

const jsonOf = async (...words: ReadonlyArray<string>) =>
  JSON.parse((await here.command(...words, "--json")).stdout)

/** The command, and the link that it shows. */
const startConsole = async () => {
  const command = spawn(process.execPath, [bin, "console", "--json"], {
    cwd: here.folder,
    env: { ...process.env, ...here.set, EARMARK_DATA_DIR: join(here.folder, "none"), EARMARK_PORT: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  })
  let text = ""
  for await (const line of createInterface({ input: command.stdout })) {
    text += line
    if (line === "}") break
  }
  return { command, url: String(JSON.parse(text).url) }
}

beforeAll(async () => {
  if (browserMissing !== null) return
  await transcribe("museum", 40)
  const [{ id: found }] = (await jsonOf("jobs", "list")).data
  id = found
  ;({ command, url } = await startConsole())
  browser = await openBrowser()
  watched = await openPage(browser, new URL(url).origin, { viewport: { width: 1280, height: 860 } })
}, 90_000)

afterAll(async () => {
  command?.kill("SIGKILL")
  await watched?.close()
  await browser?.close()
  close()
})

describe.skipIf(browserMissing !== null)(`the library of a machine${because(browserMissing)}`, () => {
  it("opens with a link that works once, and for nobody else", async () => {
    const { page } = watched
    const { origin } = new URL(url)
    assert.strictEqual(new URL(url).hostname, "127.0.0.1")
    assert.strictEqual((await fetch(`${origin}/api/v1/transcriptions`)).status, 401)
    await page.goto(url)
    await page.getByRole("link", { name: "museum" }).waitFor()
    assert.isEmpty(new URL(page.url()).hash)
    const again = await fetch(`${origin}/api/v1/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Earmark-Console": "1", Origin: origin },
      body: JSON.stringify({ link: url.split("#sign-in=")[1] }),
    })
    assert.strictEqual(again.status, 401)
    // Nobody has a key for it: a page that asked for one would lead nowhere.
    const other = await openPage(browser, origin)
    await other.page.goto(url)
    await other.page.getByText("This sign-in link was used before, or is older than 5 minutes.").waitFor()
    await other.page.getByText("Run earmark console again: it prints a new link.").waitFor()
    assert.strictEqual(await other.page.locator("input").count(), 0)
    assert.strictEqual(await other.page.getByText("API key").count(), 0)
    assert.deepStrictEqual(await findings(other.page), [])
    await other.close()
  })

  it("has what is about transcripts, and nothing of a service", async () => {
    const { page } = watched
    const menu = await page.getByRole("navigation", { name: "Menu" }).getByRole("link").allTextContents()
    assert.deepStrictEqual(menu, ["Transcripts", "Search", "Ask"])
    assert.strictEqual(await page.getByText("This machine").count(), 1)
    assert.strictEqual(await page.getByText("New transcription").count(), 0)
    assert.strictEqual(await page.getByText("credits").count(), 0)
    assert.deepStrictEqual(await findings(page), [])
    await page.goto(`${new URL(url).origin}/console/keys`)
    await page.getByText("There is no such page").waitFor()
  })

  it("says only how to sign in again when its session has ended", async () => {
    const { page } = watched
    await page.goto(`${new URL(url).origin}/console/`)
    const link = page.getByRole("link", { name: "museum" })
    await link.waitFor()
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await link.click()
    await page.getByText("Run earmark console again: it prints a new link.").waitFor()
    assert.strictEqual(await page.getByText("Your session has ended").count(), 0)
    await page.context().addCookies(cookies)
  })

  it("offers no translation where nothing translates", async () => {
    const { page } = watched
    await page.goto(`${new URL(url).origin}/console/t/${id}?view=translation`)
    await page.getByText("No translator is set up on this machine").waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Translate" }).count(), 0)
  })

  it("reads, plays, and follows the words", async () => {
    const { page } = watched
    await page.goto(`${new URL(url).origin}/console`)
    await page.getByRole("link", { name: "museum" }).click()
    await page.locator(".text p").nth(3).waitFor()
    const play = page.getByRole("button", { name: "Play", exact: true })
    await page.waitForFunction(() => document.querySelector("audio, [data-state=ready], .player") !== null)
    await play.click()
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
    await page.getByRole("button", { name: "Pause", exact: true }).click()
    const peaks = await page.evaluate(async (of) => {
      const answer = await fetch(`/api/v1/transcriptions/${of}/waveform?points=400`, {
        headers: { "Earmark-Console": "1" },
      })
      return [...new Uint8Array(await answer.arrayBuffer())]
    }, id)
    assert.isAbove(new Set(peaks).size, 3)
    assert.deepStrictEqual(await findings(page), [])
  })

  it("corrects a line: the command and the files that were written have it", async () => {
    const { page } = watched
    await page.locator(".text p").nth(1).focus()
    await page.keyboard.press("e")
    await page.locator(".text p.editing").waitFor()
    await page.keyboard.press("Control+a")
    await page.keyboard.type("We open at half past nine.")
    await page.keyboard.press("Enter")
    await page
      .getByRole("status")
      .filter({ hasText: /^Saved$/ })
      .waitFor()
    const text = (await here.command("export", id, "--format", "txt")).stdout
    assert.include(text, "We open at half past nine.")
    assert.include(here.read("out/museum.srt"), "half past nine")
    assert.strictEqual((await jsonOf("edit", id, "--history")).data.length, 1)
  })

  it("names, exports, searches, answers and summarizes", async () => {
    const { page } = watched
    const { origin } = new URL(url)
    await page.goto(`${origin}/console/t/${id}?view=export`)
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ])
    assert.strictEqual(file.suggestedFilename(), "museum.srt")
    await page.goto(`${origin}/console/search?q=half+past+nine`)
    await page.locator("mark").first().waitFor()
    await page.goto(`${origin}/console/ask?question=When+do+you+open`)
    await page.getByText("half past nine").first().waitFor()
    await page.goto(`${origin}/console/t/${id}?view=summary`)
    await page.getByRole("button", { name: "Make a summary" }).click()
    const shown = await page.locator(".summary").textContent()
    assert.isNotEmpty(shown)
    assert.strictEqual((await jsonOf("jobs", "show", id)).summary, shown)
  })

  it("refuses as a server does, and changes nothing then", async () => {
    const call = (method: string, path: string, body?: object) =>
      watched.page.evaluate(
        async ([how, where, sent]) => {
          const answer = await fetch(`/api/v1/transcriptions/${where}`, {
            method: how,
            headers: { "Earmark-Console": "1", "Content-Type": "application/json" },
            ...(sent !== null && { body: sent }),
          })
          const { status, code, revision } = JSON.parse((await answer.text()) || "{}")
          return [answer.status, code ?? status ?? null, revision ?? null]
        },
        [method, path, body === undefined ? null : JSON.stringify(body)] as const,
      )
    const edit = (line: number, base_revision: number) => ({
      base_revision,
      operations: [{ type: "text", line, text: "x" }],
    })
    assert.deepStrictEqual(await call("POST", `${id}/edits`, edit(0, 0)), [409, "revision_conflict", 1])
    assert.deepStrictEqual(await call("POST", `${id}/edits`, edit(999, 1)), [422, "invalid_edit", null])
    assert.deepStrictEqual(await call("GET", `${id}?revision=7`), [404, "not_found", null])
    assert.deepStrictEqual(await call("GET", "tr_none"), [404, "not_found", null])
    assert.deepStrictEqual(await call("POST", "", { url: "https://a.example" }), [404, "not_found", null])
    const names = { title: "Other", speakers: { "Speaker 9": "Ann" } }
    assert.deepStrictEqual(await call("PATCH", id, names), [400, "invalid_request", null])
    assert.strictEqual((await jsonOf("jobs", "show", id)).title, "museum")
    assert.deepStrictEqual(await call("PATCH", id, { title: "The museum" }), [200, "done", 1])
    assert.strictEqual((await jsonOf("jobs", "show", id)).title, "The museum")
  })

  it("shows what the command transcribes meanwhile, and deletes", async () => {
    const { page } = watched
    await page.goto(`${new URL(url).origin}/console`)
    await page.locator("tbody tr").first().waitFor()
    await transcribe("evening", 20)
    await page.getByRole("link", { name: "evening" }).waitFor({ timeout: 10_000 })
    await page.getByLabel("Select evening").check()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByRole("button", { name: "Delete 1 transcript" }).click()
    await page.getByRole("link", { name: "evening" }).waitFor({ state: "detached" })
    assert.strictEqual((await jsonOf("jobs", "list")).data.length, 1)
    assert.include(here.names().join(" "), "evening.wav")
  }, 60_000)

  it("says where a recording was that is not there any more", async () => {
    const { page } = watched
    const file = join(here.folder, "museum.wav")
    renameSync(file, `${file}.away`)
    await page.goto(`${new URL(url).origin}/console/t/${id}`)
    await page
      .getByText(`There is no recording at ${realpathSync(here.folder)}/museum.wav any more.`)
      .waitFor({ timeout: 5000 })
    renameSync(`${file}.away`, file)
  })

  it("ends with Ctrl-C, and leaves no server behind", async () => {
    // What was refused on purpose is in the log of the browser.
    const faults = watched.faults.filter((fault) => !/status of (400|409|422)/.test(fault))
    assert.deepStrictEqual(faults, [])
    const { page } = watched
    await page.goto(`${new URL(url).origin}/console`)
    await page.getByRole("row").nth(1).waitFor()
    const ended = once(command, "close")
    command.kill("SIGINT")
    const [code, signal] = await ended
    assert.isTrue(code === 130 || signal === "SIGINT" || code === 0, `${code} ${signal}`)
    assert.isNull(await fetch(url).catch(() => null))
    await page.getByRole("link", { name: "Search", exact: true }).first().click()
    const field = page.getByRole("main").getByRole("searchbox")
    await field.fill("lantern")
    await page.keyboard.press("Enter")
    await page.getByText("earmark console was stopped. Run it again, and open its new link.").waitFor()
  })

  it("has the same address when it is started again, with the drafts that were kept there", async () => {
    const { page } = watched
    const { origin } = new URL(url)
    ;({ command, url } = await startConsole())
    assert.strictEqual(new URL(url).origin, origin)
    await page.goto(url)
    await page.getByRole("link", { name: "museum" }).click()
    await editLine(page, 1)
    await page.keyboard.type(" Not saved.")
    const ended = once(command, "close")
    command.kill("SIGINT")
    await ended
    await page.keyboard.press("Enter")
    await page
      .getByText("earmark console was stopped. Run it again, and open its new link.")
      .first()
      .waitFor()
    ;({ command, url } = await startConsole())
    await page.goto(url)
    await page.getByRole("link", { name: "museum" }).click()
    await page.getByText("A draft of line 2 is not saved").waitFor()
    assert.strictEqual(await page.getByText("another account than before").count(), 0)
    const beside = await startConsole()
    try {
      assert.notStrictEqual(new URL(beside.url).origin, origin)
      assert.isTrue((await fetch(beside.url)).ok)
    } finally {
      beside.command.kill("SIGINT")
    }
  }, 60_000)
})
