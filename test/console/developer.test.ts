/** What developers and operators meet: endpoints and their deliveries, keys, agents, usage, and the samples of the API. */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Browser, Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, findings, openPage, signIn } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

let server: ConsoleServer
let browser: Browser
let client: EarmarkClient
let transcript: string

serve({}, async (given) => {
  ;({ server, browser, client } = given)
  transcript = await transcribe("talk")
})

const transcribe = async (name: string): Promise<string> => {
  const { id } = await client.transcriptions.create({ url: `https://media.example/${name}.mp3?seconds=60` })
  await client.waitFor(id)
  return id
}

const signedIn = async (path: string) => {
  const watched = await openPage(browser, server.origin)
  await signIn(watched.page, server.origin, server.key)
  await watched.page.goto(`${server.origin}/console/${path}`)
  return watched
}

const run = promisify(execFile)
const root = fileURLToPath(new URL("../../", import.meta.url))

const samplesOf = async (page: Page) => {
  await page.getByRole("button", { name: "API", exact: true }).click()
  const samples = page.getByRole("dialog").locator("pre")
  await samples.nth(1).waitFor()
  return samples.allTextContents()
}

describe.skipIf(browserMissing !== null)(`an endpoint${because(browserMissing)}`, () => {
  it("asks before it is disabled, and says what became of what waited", { timeout: 60_000 }, async () => {
    const { id } = await client.webhooks.create({ url: "https://hooks.example/fail/a" })
    await client.webhooks.create({ url: "https://hooks.example/fail/b" })
    const { page, faults, close } = await signedIn(`webhooks/${id}`)
    await page.getByRole("heading", { name: "hooks.example/fail/a", exact: true }).waitFor()
    await transcribe("waiting")
    await page.getByText("next attempt in").first().waitFor()
    await page.getByRole("link", { name: "transcription.completed" }).click()
    await page.getByText("The next attempt is in").waitFor()
    await page.locator("summary svg").first().waitFor()
    await page.goBack()
    await page.getByRole("button", { name: "Disable", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Disable this endpoint?" })
    await dialog.getByText("are canceled").waitFor()
    assert.deepStrictEqual(await findings(page), [])
    await dialog.getByRole("button", { name: "Disable", exact: true }).click()
    await page.getByText("disabled", { exact: true }).waitFor()
    await page.getByRole("button", { name: "canceled", exact: true }).click()
    await page.getByRole("link", { name: "transcription.completed" }).click()
    await page.getByText("Canceled: the endpoint was disabled").waitFor()
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("that is gone is seen to be disabled on the open page", { timeout: 60_000 }, async () => {
    const { id } = await client.webhooks.create({ url: "https://hooks.example/gone" })
    const { page, close } = await signedIn(`webhooks/${id}`)
    await page.getByText("enabled", { exact: true }).waitFor()
    await transcribe("gone")
    await page.getByText("disabled: gone (410)").waitFor()
    await page.getByRole("button", { name: "Enable", exact: true }).waitFor()
    await close()
  })

  it("says until when the old secret counts, and ends it", { timeout: 60_000 }, async () => {
    const { id } = await client.webhooks.create({ url: "https://hooks.example/rotated" })
    const { page, faults, close } = await signedIn(`webhooks/${id}`)
    await page.getByRole("button", { name: "Rotate secret" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Old secret keeps working for").selectOption("1 hour")
    await dialog.getByRole("button", { name: "Rotate secret" }).click()
    await dialog.getByText(/^The old secret counts until \w+ \d+, \d{4}, /).waitFor()
    await dialog.getByRole("button", { name: "I have saved it" }).click()
    const notice = page.getByText(/^The old secret counts until /)
    await notice.waitFor()
    assert.deepStrictEqual(await findings(page), [])
    await page.getByRole("button", { name: "End it now" }).click()
    await dialog.getByText("Receivers that still have the old one refuse them.").waitFor()
    await dialog.getByRole("button", { name: "End it now" }).click()
    await notice.waitFor({ state: "detached" })
    assert.isNull((await client.webhooks.get(id)).previous_secret_valid_until)
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("that was deleted does not come back with the Back button", { timeout: 60_000 }, async () => {
    const { id } = await client.webhooks.create({ url: "https://hooks.example/deleted" })
    const { page, close } = await signedIn(`webhooks/${id}`)
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByRole("button", { name: "Add endpoint" }).first().waitFor()
    await page.goBack()
    await page.getByText("There is nothing with this id").waitFor()
    assert.deepStrictEqual(await page.locator("h1").allTextContents(), ["This endpoint cannot be opened"])
    assert.strictEqual(await page.getByRole("button", { name: "Send a test" }).count(), 0)
    assert.strictEqual(await page.getByText("hooks.example/deleted").count(), 0)
    assert.deepStrictEqual(await findings(page), [])
    await page.getByRole("main").getByRole("link", { name: "Webhooks" }).click()
    await page.getByRole("button", { name: "Add endpoint" }).first().waitFor()
    await close()
  })

  it("is not added without an event", { timeout: 60_000 }, async () => {
    const { page, close } = await signedIn("webhooks")
    await page.getByRole("button", { name: "Add endpoint" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("URL").fill("https://hooks.example/none")
    for (const box of await dialog.getByRole("checkbox").all()) await box.uncheck()
    await dialog.getByRole("button", { name: "Add endpoint" }).click()
    await dialog.getByRole("group").getByText("Choose at least one event.").waitFor()
    await close()
  })
})

describe.skipIf(browserMissing !== null)(`access${because(browserMissing)}`, () => {
  it("of an assistant is seen on the open page as soon as it is given", { timeout: 60_000 }, async () => {
    const { page, close } = await signedIn("agents")
    await page.getByRole("heading", { name: "No assistant is connected" }).waitFor()
    const grant = {
      id: "grant_1",
      client: "https://app.example",
      name: "Helper",
      scopes: ["transcriptions:read"],
      granted_at: "2026-01-01T00:00:00Z",
      expires_at: null,
    }
    await page.route("**/api/v1/grants?*", (route) =>
      route.fulfill({ json: { data: [grant], has_more: false, next_cursor: null } }),
    )
    await page.getByText("Helper", { exact: true }).waitFor()
    await close()
  })

  it("by the key that one is signed in with is marked, and not revoked unawares", {
    timeout: 60_000,
  }, async () => {
    await client.keys.create({ name: "Other" })
    const { page, close } = await signedIn("keys")
    const own = page.getByRole("row").filter({ hasText: "signed in with it" })
    await own.getByRole("button", { name: "Revoke Laptop of Ann" }).click()
    await page.getByRole("dialog").getByText("You are signed in with this key").waitFor()
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("button", { name: "Revoke Other" }).click()
    assert.strictEqual(await page.getByText("You are signed in with this key").count(), 0)
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("button", { name: "Create key" }).click()
    await page.getByRole("dialog").getByText("publish them at addresses that anyone can open").waitFor()
    await close()
  })

  it("that one is signed in with says why one has to sign in, once it is revoked", {
    timeout: 60_000,
  }, async () => {
    const { key, id } = await client.keys.create({ name: "Short" })
    const { page, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, key)
    await page.goto(`${server.origin}/console/keys`)
    await page.getByRole("row").filter({ hasText: "signed in with it" }).waitFor()
    await page.getByRole("button", { name: "Revoke Short" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.getByText("You revoked the key that you had signed in with.").waitFor()
    assert.isNotNull((await client.keys.list({ limit: 100 })).data.find((each) => each.id === id)?.revoked_at)
    // Revoked elsewhere, it is known that the session has ended.
    const other = await client.keys.create({ name: "Shorter" })
    await page.getByLabel("API key").fill(other.key)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByRole("button", { name: "Create key" }).waitFor()
    await client.keys.revoke(other.id)
    await page.getByText("Your session has ended").waitFor()
    await close()
  })

  it("to credits alone asks for no stream that would be refused", { timeout: 60_000 }, async () => {
    const { key } = await client.keys.create({ name: "Accounting", scopes: ["billing:read"] })
    const { page, faults, close } = await openPage(browser, server.origin)
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${server.origin}/console/billing`)
    await page.getByLabel("API key").fill(key)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByRole("heading", { name: "Credits", exact: true }).waitFor()
    await page.getByText("Ledger").waitFor()
    await page.waitForLoadState("networkidle")
    assert.notInclude(asked, "/api/v1/events")
    assert.deepStrictEqual(faults, [])
    await close()
  })
})

describe.skipIf(browserMissing !== null)(`the samples${because(browserMissing)}`, () => {
  it("run as they stand", { timeout: 60_000 }, async () => {
    const { page, faults, close } = await signedIn("webhooks")
    const [curl = "", reads = "", , adds = ""] = await samplesOf(page)
    assert.include(curl, "curl ")
    assert.notInclude(curl, "POST")
    // Answers do not end with a line: two of them would stand on one.
    assert.include(curl, "-w '\\n'")
    await page.getByText("The next call creates, changes or spends something each time it runs.").waitFor()
    const printed = async (program: string): Promise<string> => {
      assert.strictEqual(program.split("import ").length, 2)
      assert.strictEqual(program.split("new EarmarkClient(").length, 2)
      const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
        cwd: root,
        env: { ...process.env, EARMARK_API_KEY: server.key },
      })
      return stdout
    }
    const before = (await client.webhooks.list()).data.length
    assert.include(await printed(reads), "next_cursor")
    assert.strictEqual((await client.webhooks.list()).data.length, before)
    // What is shown once is not thrown away.
    assert.include(await printed(adds), "whsec_")
    assert.strictEqual((await client.webhooks.list()).data.length, before + 1)
    assert.deepStrictEqual(await findings(page), [])
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("of a transcript ask a question, and have the extras made that a view shows", {
    timeout: 60_000,
  }, async () => {
    const { page, close } = await signedIn(`t/${transcript}?view=ask`)
    const [ask = ""] = await samplesOf(page)
    assert.match(ask, /\{"question":"[^"]+"\}/)
    for (const [view, wanted] of [
      ["summary", '{"summary":true,"chapters":true}'],
      ["translation", '{"translate_to":"de"}'],
    ] as const) {
      await page.goto(`${server.origin}/console/t/${transcript}?view=${view}`)
      const made = (await samplesOf(page)).find((sample) => sample.includes("/extras")) ?? ""
      assert.include(made, wanted)
    }
    await close()
  })
})

describe.skipIf(browserMissing !== null)(`usage by key${because(browserMissing)}`, () => {
  it("names the keys in its file, which has a name of its own", { timeout: 60_000 }, async () => {
    const { page, close } = await signedIn("usage?by=key")
    await page.getByRole("cell", { name: "Laptop of Ann" }).waitFor()
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download CSV" }).click()
    const file = await saved
    assert.match(file.suggestedFilename(), /^earmark-usage-by-key-/)
    const [head = "", first = ""] = (await readFile(await file.path(), "utf8")).split("\r\n")
    assert.strictEqual(head, "group,name,transcriptions,minutes,credits")
    assert.match(first, /^"key_\w+","Laptop of Ann",/)
    await close()
  })
})

describe.skipIf(browserMissing !== null)(`the ledger${because(browserMissing)}`, () => {
  it("names transcripts, also in its file, which has every entry", { timeout: 60_000 }, async () => {
    await client.transcriptions.update(await transcribe("ledger"), { title: "=ledger, twice" })
    const { page, faults, close } = await signedIn("billing")
    const link = page.getByRole("link", { name: "=ledger, twice" })
    await link.waitFor()
    assert.match((await link.getAttribute("href")) ?? "", /\/t\/tr_\w+$/)
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download CSV" }).click()
    const file = await saved
    assert.match(file.suggestedFilename(), /^earmark-ledger-\d{4}-\d\d-\d\d\.csv$/)
    const [head, ...lines] = (await readFile(await file.path(), "utf8")).split("\r\n")
    assert.strictEqual(head, "time,kind,credits,transcription_id,title")
    const amounts: Array<number> = []
    for await (const { amount } of client.credits.entries({ limit: 100 })) amounts.push(amount)
    assert.deepStrictEqual(
      lines.map((line) => Number(line.split(",")[2])),
      amounts,
    )
    // What a spreadsheet would take for a formula is text.
    assert.match(lines[0] ?? "", /^"20[^"]+","settlement",-\d+,"tr_\w+","'=ledger, twice"$/)
    assert.deepStrictEqual(await findings(page), [])
    assert.deepStrictEqual(faults, [])
    await close()
  })
})

describe.skipIf(browserMissing !== null)(`the pages of the operator${because(browserMissing)}`, () => {
  it("say what was linked, name fields as the form does, and show defaults as code", {
    timeout: 60_000,
  }, async () => {
    const { page, close } = await openPage(browser, server.origin)
    await page.goto(await server.newLink({ isOperator: true }))
    await page.getByRole("heading", { name: "Transcripts", exact: true }).waitFor()
    await page.goto(`${server.origin}/console/operator/accounts/${server.account}`)
    await page.getByRole("button", { name: "Link a sign-in", exact: true }).click()
    await page.getByLabel("Issuer").fill("https://login.example")
    await page.getByLabel("Subject").fill("ann-7")
    await page.keyboard.press("Enter")
    await page.getByText("Linked: “ann-7” at https://login.example signs in to this account.").waitFor()
    await page.getByRole("button", { name: "Set limits" }).click()
    await page.getByLabel("Largest upload, in bytes").fill("many")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("Largest upload, in bytes: ").waitFor()
    await page.goto(`${server.origin}/console/operator/server`)
    const setting = page.getByRole("row").filter({ hasText: "EARMARK_MIGRATE" })
    assert.include(await setting.textContent(), "on (default)")
    await close()
  })
})
