/** Keys with a monthly limit of credits. */
import { assert, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, openPage, signIn } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

let server: ConsoleServer
let browser: Browser

serve({}, (given) => {
  ;({ server, browser } = given)
})

describe.skipIf(browserMissing !== null)(`the monthly limit of a key${because(browserMissing)}`, () => {
  it("is set when the key is made, shown beside what is used, and taken away", async () => {
    const { page, faults } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/keys`)
    await page.getByRole("button", { name: "Create key" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name", { exact: true }).fill("Nightly")
    await dialog.getByLabel("Monthly limit (credits)").fill("500")
    await dialog.getByRole("button", { name: "Create key" }).click()
    await page.getByRole("button", { name: "I have saved it" }).click()
    const row = page.getByRole("row", { name: /Nightly/ })
    await row.getByText("0 of 500").waitFor()
    await row.getByRole("button", { name: "Edit Nightly" }).click()
    const limit = dialog.getByLabel("Monthly limit (credits)")
    assert.strictEqual(await limit.inputValue(), "500")
    await limit.fill("")
    await dialog.getByRole("button", { name: "Save" }).click()
    await row.getByText("0 of 500").waitFor({ state: "detached" })
    assert.deepStrictEqual(faults, [])
  })

  it("is not made without a permission, which is said beside them", async () => {
    const { page } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/keys`)
    await page.getByRole("button", { name: "Create key" }).click()
    const dialog = page.getByRole("dialog")
    for (const box of await dialog.getByRole("checkbox").all()) await box.setChecked(false)
    await dialog.getByRole("button", { name: "Create key" }).click()
    await dialog
      .getByRole("group", { name: "Permissions" })
      .getByText("Choose at least one permission.")
      .waitFor()
  })

  it("does not undo what was chosen when the key could not be made", async () => {
    const { page } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.route(/\/api\/v1\/keys$/, (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    )
    await page.goto(`${server.origin}/console/keys`)
    await page.getByRole("button", { name: "Create key" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name", { exact: true }).fill("Nightly")
    const boxes = dialog.getByRole("checkbox")
    const before = await boxes.evaluateAll((all) =>
      all.map((box) => box instanceof HTMLInputElement && box.checked),
    )
    await boxes.first().click()
    await dialog.getByRole("button", { name: "Create key" }).click()
    await dialog.getByRole("alert").waitFor()
    const after = await boxes.evaluateAll((all) =>
      all.map((box) => box instanceof HTMLInputElement && box.checked),
    )
    assert.deepStrictEqual(after, [!before[0], ...before.slice(1)])
    assert.strictEqual(await dialog.getByLabel("Name", { exact: true }).inputValue(), "Nightly")
  })
})
