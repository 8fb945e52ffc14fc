/** What tests of corrections do with the lines of a transcript. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { vi } from "vitest"

export const linesOf = async (client: EarmarkClient, id: string): Promise<ReadonlyArray<string>> => {
  const job = await client.transcriptions.get(id)
  return job.status === "done" ? job.segments.map(({ text }) => text) : []
}

export const revisionOf = async (client: EarmarkClient, id: string): Promise<number> => {
  const job = await client.transcriptions.get(id)
  return (job.status === "done" ? job.revision : 0) ?? 0
}

/** Waits until so many corrections are saved. */
export const revisions = (client: EarmarkClient, id: string, wanted: number) =>
  vi.waitFor(async () => assert.strictEqual(await revisionOf(client, id), wanted), {
    timeout: 15_000,
    interval: 100,
  })

export const openText = async (page: Page, origin: string, id: string) => {
  await page.goto(`${origin}/console/t/${id}`)
  await page.locator(".text p").nth(3).waitFor()
}

export const focusLine = (page: Page, line: number) => page.locator(".text p").nth(line).focus()

/** A line is edited, with keys alone. */
export const editLine = async (page: Page, line: number) => {
  await focusLine(page, line)
  await page.keyboard.press("e")
  await page.locator(".text p.editing").waitFor()
}

/** The caret goes so many characters into the line. */
export const goInto = async (page: Page, characters: number) => {
  await page.keyboard.press("Home")
  for (let turn = 0; turn < characters; turn++) await page.keyboard.press("ArrowRight")
}

/** Waits until the page has so many lines. */
export const count = (page: Page, lines: number) =>
  page.waitForFunction((wanted) => document.querySelectorAll(".text p").length === wanted, lines)

export const saved = (page: Page) =>
  page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor()

export const noDrafts = async (page: Page) => {
  assert.strictEqual(await page.getByRole("alert").count(), 0)
  assert.strictEqual(await page.getByRole("button", { name: "Discard the draft" }).count(), 0)
}
