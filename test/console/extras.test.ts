import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let watched: Watched
let client: EarmarkClient
let id: string

setUp({ page: { viewport: { width: 1280, height: 860 } } }, async (given) => {
  ;({ server, watched, client } = given)
  id = (await client.transcribe({ url: "https://media.example/talk.mp3?seconds=90" })).id
})

describe.skipIf(browserMissing !== null)(`extras in the page${because(browserMissing)}`, () => {
  it("are made for who asks, and shown when they are there", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}?view=summary`)
    await page.getByRole("button", { name: "Make a summary" }).click()
    await page.locator("p.summary").waitFor()
    await page.getByRole("status").filter({ hasText: "It is ready." }).waitFor()
    await page.getByRole("button", { name: "Make chapters" }).click()
    await page.locator(".contents li").first().waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /^Make/ }).count(), 0)
  })

  it("stand in several languages beside the text", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}?view=translation`)
    for (const [code, name] of [
      ["de", "German"],
      ["fr", "French"],
    ] as const) {
      await page.getByLabel("Translate into").selectOption({ label: name })
      await page.getByRole("button", { name: "Translate", exact: true }).click()
      await page.locator(`.pair p[lang=${code}]`).first().waitFor()
    }
    assert.match(page.url(), /to=fr/)
    // What was just made is not offered again, and the next one is chosen.
    const next = page.getByLabel("Translate into")
    assert.notInclude(await next.locator("option").allTextContents(), "French")
    assert.match(await next.inputValue(), /^(?!fr|de)[a-z]{2}$/)
    await page.getByLabel("Translation", { exact: true }).selectOption({ label: "German" })
    const first = page.locator(".pair p[lang=de]").first()
    assert.match((await first.textContent()) ?? "", /^\[de\] /)
  })

  it("are all offered for export, and stay chosen in another format", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}?view=export`)
    const language = page.getByLabel("Language", { exact: true })
    await language.waitFor()
    assert.deepStrictEqual(await language.locator("option").allTextContents(), [
      "English",
      "German",
      "French",
    ])
    const asked = page.waitForRequest(/\/export\?.*language=fr/)
    await language.selectOption({ label: "French" })
    await asked
    const again = page.waitForRequest(/\/export\?(?=.*format=txt)(?=.*language=fr)/)
    await page.getByLabel("Format").selectOption("txt")
    await again
    assert.strictEqual(await language.inputValue(), "fr")
    await page.locator("pre.block", { hasText: "[fr]" }).waitFor()
  })

  it("are laid out in every format as was chosen, as far as it has lines", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}?view=export`)
    const format = page.getByLabel("Format")
    await page.getByLabel("Caption style").selectOption({ label: "Netflix" })
    await page.getByLabel("Characters a line").fill("30")
    const captions = page.waitForRequest(
      /\/export\?(?=.*format=vtt)(?=.*profile=netflix)(?=.*max_chars_per_line=30)/,
    )
    await format.selectOption("vtt")
    await captions
    const text = page.waitForRequest(/\/export\?.*format=txt/)
    await format.selectOption("txt")
    assert.notMatch((await text).url(), /profile|max_chars/)
    await format.selectOption("srt")
    assert.strictEqual(await page.getByLabel("Caption style").inputValue(), "netflix")
    assert.strictEqual(await page.getByLabel("Characters a line").inputValue(), "30")
  })

  it("are chosen as before when the page is loaded again, or one comes back to it", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${id}?view=export`)
    await page.getByLabel("Format").selectOption("vtt")
    await page.getByLabel("Caption style").selectOption({ label: "Netflix" })
    await page.getByLabel("Characters a line").fill("30")
    await page.getByLabel("Language", { exact: true }).selectOption({ label: "French" })
    await page.getByLabel("Name the speakers").uncheck()
    const isAsBefore = async (does: Promise<unknown>) => {
      const asked = page.waitForRequest(/\/export\?/)
      await does
      const { searchParams } = new URL((await asked).url())
      assert.deepStrictEqual(Object.fromEntries(searchParams), {
        format: "vtt",
        profile: "netflix",
        max_chars_per_line: "30",
        language: "fr",
        speakers: "false",
      })
      assert.strictEqual(await page.getByLabel("Characters a line").inputValue(), "30")
      assert.isFalse(await page.getByLabel("Name the speakers").isChecked())
    }
    await isAsBefore(page.reload())
    await page.getByRole("link", { name: "Text", exact: true }).click()
    await page.locator(".text p").first().waitFor()
    await isAsBefore(page.goBack().then(() => page.reload()))
    // What an address cannot mean is left out.
    const plain = page.waitForRequest(/\/export\?/)
    await page.goto(`${server.origin}/console/t/${id}?view=export&format=mp3&max_lines=9&language=xx`)
    assert.deepStrictEqual(Object.fromEntries(new URL((await plain).url()).searchParams), { format: "srt" })
  })

  it("say that the text is newer, and are made again", async () => {
    const { page } = watched
    await client.transcriptions.edit(id, {
      base_revision: 0,
      operations: [{ type: "text", line: 0, text: "We mend it" }],
    })
    await page.goto(`${server.origin}/console/t/${id}?view=translation&to=de`)
    await page.getByText("The text was corrected after this was made.").waitFor()
    await page.getByRole("button", { name: "Make it again" }).click()
    await page.locator(".pair p[lang=de]", { hasText: "[de] We mend it" }).waitFor()
  })

  it("had no fault in all of that", () => assert.deepStrictEqual(watched.faults, []))
})
