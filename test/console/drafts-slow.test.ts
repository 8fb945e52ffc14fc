/** Corrections that are made faster than the service answers, and without a network. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import { count, editLine, goInto, linesOf, noDrafts, openText, revisions, saved } from "./editing.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let watched: Watched
let client: EarmarkClient

setUp({ page: { viewport: { width: 1280, height: 600 } } }, (given) => {
  ;({ server, watched, client } = given)
})

const openTalk = async (name: string) => {
  const job = await client.transcribe({ url: `https://media.example/${name}.mp3?seconds=60` })
  await openText(watched.page, server.origin, job.id)
  return { id: job.id, lines: job.segments.map(({ text }) => text) }
}

/** Every answer about a transcript takes a second. Answers what was asked for, in that order. */
const slowly = async (
  page: Page,
  id: string,
  work: () => Promise<void>,
): Promise<ReadonlyArray<"read" | "edit">> => {
  const asked: Array<"read" | "edit"> = []
  await page.route(`**/transcriptions/${id}**`, async (route) => {
    const path = new URL(route.request().url()).pathname
    if (route.request().method() === "POST") asked.push("edit")
    else if (path.endsWith(id)) asked.push("read")
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.continue()
  })
  try {
    await work()
  } finally {
    await page.unrouteAll({ behavior: "wait" })
  }
  return asked
}

const first = "Good morning,"
const rest = "and welcome to the museum of everyday things."

/** The first line is cut behind its greeting. */
const splitFirst = async (page: Page) => {
  await editLine(page, 0)
  await goInto(page, first.length)
  await page.keyboard.press("Control+Enter")
}

/** The first line is split, and typed in, while there is no network; its answer fails late. It is not tried again by itself. */
const splitOffline = async (page: Page) => {
  await page.route("**/account", (route) => route.abort())
  await page.route("**/edits", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.abort()
  })
  await splitFirst(page)
  await page.keyboard.type("well ")
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor()
  await page.unroute("**/edits")
}

const shown = (page: Page) => page.locator(".text p").allTextContents()

describe.skipIf(browserMissing !== null)(`corrections over a slow line${because(browserMissing)}`, () => {
  it("are sent as soon as those before them are answered; the text is read again after the last one", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("queue")
    const asked = await slowly(page, id, async () => {
      for (const line of [1, 2, 3]) {
        await editLine(page, line)
        await page.keyboard.type(` ${line}!`)
        await page.keyboard.press("Enter")
      }
      await revisions(client, id, 3)
      await saved(page)
      await page.waitForFunction(() => document.querySelectorAll(".text p[data-edited]").length === 3)
    })
    assert.deepStrictEqual(asked, ["edit", "edit", "edit", "read"])
    assert.deepStrictEqual((await linesOf(client, id)).slice(1, 4), [
      `${lines[1]} 1!`,
      `${lines[2]} 2!`,
      `${lines[3]} 3!`,
    ])
    await noDrafts(page)
  })

  it("are seen all the time, also when the text is read again before they are saved", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("steady")
    await slowly(page, id, async () => {
      await editLine(page, 1)
      await page.keyboard.type(" One.")
      await page.keyboard.press("Enter")
      await saved(page)
      // The text is being read, without this one.
      await editLine(page, 4)
      await page.keyboard.type(" Two.")
      await page.keyboard.press("Enter")
      await page.evaluate(() => {
        const [line] = [...document.querySelectorAll(".text p")].slice(4)
        if (line === undefined) return
        const look = () =>
          document.body.setAttribute("data-said", `${document.body.dataset.said ?? ""}|${line.textContent}`)
        new MutationObserver(look).observe(line, { childList: true, characterData: true, subtree: true })
      })
      await revisions(client, id, 2)
      await page.locator(".text p[data-edited]").nth(1).waitFor()
    })
    assert.notInclude(`${await page.evaluate(() => document.body.dataset.said)}|`, `|${lines[4]}|`)
    assert.strictEqual((await shown(page))[4], `${lines[4]} Two.`)
    assert.strictEqual((await linesOf(client, id))[4], `${lines[4]} Two.`)
    await noDrafts(page)
  })

  it("keep the caret and the line of somebody who types while others are split and joined", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("steadfast")
    await slowly(page, id, async () => {
      await splitFirst(page)
      await editLine(page, 5)
      await page.keyboard.press("Home")
      await page.keyboard.press("Backspace")
      await editLine(page, 2)
      await goInto(page, "Then ".length)
      await page.keyboard.type("and ")
      // Both are seen at once: there are as many lines as before.
      await page.locator(".text p", { hasText: `${lines[4]} ${lines[5]}` }).waitFor()
      await page.locator(".text p.editing").waitFor()
      await page.keyboard.type("there ")
    })
    const now = `${lines[2]?.slice(0, 5)}and there ${lines[2]?.slice(5)}`
    const all = [
      first,
      rest,
      String(lines[1]),
      now,
      String(lines[3]),
      `${lines[4]} ${lines[5]}`,
      ...lines.slice(6),
    ]
    assert.deepStrictEqual(await shown(page), all)
    await page.keyboard.press("Enter")
    await revisions(client, id, 3)
    assert.deepStrictEqual(await linesOf(client, id), all)
    await noDrafts(page)
  })

  it("have what was typed where a line is being split, before and after that is seen", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("halves")
    await slowly(page, id, async () => {
      await splitFirst(page)
      // These are letters of commands as well.
      await page.keyboard.type("but ")
      await page.keyboard.press("Control+Enter")
      await page.keyboard.type("u")
      await count(page, lines.length + 1)
      await page.locator(".text p.editing").waitFor()
      await page.keyboard.type("s ")
      await page.keyboard.press("End")
      await page.keyboard.type(" Really.")
      await page.keyboard.press("Enter")
      await revisions(client, id, 2)
    })
    assert.deepStrictEqual(await linesOf(client, id), [first, `but us ${rest} Really.`, ...lines.slice(1)])
    await noDrafts(page)
  })

  it("have it as well where the line is left before that is seen, and where it is joined", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("left")
    await slowly(page, id, async () => {
      await splitFirst(page)
      await page.keyboard.type("so ")
      await page.keyboard.press("Enter")
      await editLine(page, 3)
      await page.keyboard.press("Home")
      await page.keyboard.press("Backspace")
      await page.keyboard.type("indeed ")
      await page.keyboard.press("Enter")
      await revisions(client, id, 4)
    })
    const all = [first, `so ${rest}`, String(lines[1]), `${lines[2]} indeed ${lines[3]}`, ...lines.slice(4)]
    assert.deepStrictEqual(await linesOf(client, id), all)
    await page.waitForFunction(
      (wanted) => [...document.querySelectorAll(".text p")][1]?.textContent === wanted,
      `so ${rest}`,
    )
    assert.deepStrictEqual(await shown(page), all)
    await noDrafts(page)
  })

  it("are sent where their lines are by then, when a split before them is tried again", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("again")
    await splitOffline(page)
    const again = page.getByRole("alert").getByRole("button", { name: "Try again" })
    await slowly(page, id, async () => {
      await again.click()
      await editLine(page, 3)
      await page.keyboard.type(" Mine.")
      await page.keyboard.press("Enter")
      await revisions(client, id, 3)
    })
    assert.deepStrictEqual(await linesOf(client, id), [
      first,
      `well ${rest}`,
      ...lines.slice(1, 3),
      `${lines[3]} Mine.`,
      ...lines.slice(4),
    ])
    await noDrafts(page)
  })

  it("are all saved without a click, once the connection is back", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("back")
    await page.context().setOffline(true)
    for (const line of [1, 3]) {
      await editLine(page, line)
      await page.keyboard.type(` ${line}!`)
      await page.keyboard.press("Enter")
      await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor()
    }
    await editLine(page, 5)
    await page.keyboard.type(" Typing")
    await page.context().setOffline(false)
    await revisions(client, id, 2)
    await page.keyboard.type(" on.")
    await page.keyboard.press("Enter")
    await revisions(client, id, 3)
    await saved(page)
    assert.deepStrictEqual(await linesOf(client, id), [
      ...lines.slice(0, 1),
      `${lines[1]} 1!`,
      ...lines.slice(2, 3),
      `${lines[3]} 3!`,
      ...lines.slice(4, 5),
      `${lines[5]} Typing on.`,
      ...lines.slice(6),
    ])
    await noDrafts(page)
  })

  it("are saved so as well where the server was away, but not where they were given up meanwhile", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("away")
    await page.route("**/api/v1/**", (route) => route.abort())
    for (const line of [1, 2]) {
      await editLine(page, line)
      await page.keyboard.type(` ${line}!`)
      await page.keyboard.press("Enter")
      await page.getByRole("alert").getByText("is saved when it does").waitFor()
    }
    // The oldest is offered first.
    await page.getByText("A draft of line 2 is not saved").waitFor()
    await page.getByRole("button", { name: "Discard the draft" }).click()
    await page.unrouteAll({ behavior: "wait" })
    await revisions(client, id, 1)
    await saved(page)
    assert.deepStrictEqual(await linesOf(client, id), [
      ...lines.slice(0, 2),
      `${lines[2]} 2!`,
      ...lines.slice(3),
    ])
    await noDrafts(page)
  })

  it("are offered with all that was typed, where a split fails", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("fails")
    await splitOffline(page)
    // One goes on typing, and no letter is a command.
    await page.keyboard.type("u e ")
    await page.locator("h1").click()
    const notice = page.getByRole("status").filter({ hasText: "A draft of line 1 is not saved" })
    await notice.waitFor()
    assert.strictEqual(await notice.locator("blockquote").textContent(), `${first} well u e ${rest}`)
    await page.getByRole("button", { name: "Go on with the draft" }).click()
    await page.keyboard.press("Enter")
    await saved(page)
    assert.deepStrictEqual(await linesOf(client, id), [`${first} well u e ${rest}`, ...lines.slice(1)])
    await noDrafts(page)
    await page.unrouteAll({ behavior: "wait" })
  })

  it("stay drafts where the split that they were typed after is taken back at once", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("taken back")
    await editLine(page, 1)
    await page.keyboard.type(" More.")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Undo the last correction" }).waitFor()
    await slowly(page, id, async () => {
      await splitFirst(page)
      await page.keyboard.type("so ")
      await page.getByRole("button", { name: "Undo the last correction" }).click()
      await revisions(client, id, 3)
      await page.getByText("A draft of line 1 is not saved").waitFor()
    })
    assert.strictEqual(await page.locator(".notice blockquote").first().textContent(), `${first} so ${rest}`)
    const all = [...lines.slice(0, 1), `${lines[1]} More.`, ...lines.slice(2)]
    assert.deepStrictEqual(await linesOf(client, id), all)
    assert.deepStrictEqual(await shown(page), all)
    await page.getByRole("button", { name: "Discard the draft" }).click()
    await noDrafts(page)
  })

  it("had no fault in all of that", () => {
    // There was no network for a while; that was meant.
    assert.deepStrictEqual(
      watched.faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(fault)),
      [],
    )
  })
})
