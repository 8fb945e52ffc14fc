/** A sign-in link in a browser: it signs in, leaves the address at once, and does nothing the second time. */
import { assert, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { browserMissing, openPage } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

let server: ConsoleServer
let browser: Browser

serve({}, (given) => {
  ;({ server, browser } = given)
})

describe.skipIf(browserMissing !== null)("a sign-in link", () => {
  it("signs in once, and is in no address and no request line", { timeout: 60_000 }, async () => {
    const link = await server.newLink()
    const secret = link.split("#sign-in=")[1] ?? ""
    assert.lengthOf(secret, 43)
    const first = await openPage(browser, server.origin)
    const asked: Array<string> = []
    first.page.on("request", (request) => asked.push(request.url().split("#", 1).join("")))
    await first.page.goto(link)
    await first.page.getByRole("heading", { name: "Transcripts", exact: true }).waitFor()
    assert.strictEqual(await first.page.evaluate("location.href"), `${server.origin}/console/`)
    assert.notInclude(asked.join(" "), secret)
    assert.deepStrictEqual(first.faults, [])
    await first.close()

    const second = await openPage(browser, server.origin)
    await second.page.goto(link)
    await second.page.getByText("This sign-in link was used before, or is older than 5 minutes.").waitFor()
    assert.strictEqual(await second.page.evaluate("location.href"), `${server.origin}/console/`)
    await second.close()
  })
})
