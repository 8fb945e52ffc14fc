/** What a file of tests begins with: the service, a browser, and a page in which its owner is signed in. */
import { EarmarkClient } from "@earmark/api/client"
import type { Browser, BrowserContextOptions } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { browserMissing, openBrowser, openPage, signIn, type Watched } from "./browser.js"
import { type ConsoleServer, startConsole } from "./server.js"

interface Given {
  readonly server: ConsoleServer
  readonly browser: Browser
  /** Speaks for the account of the server. */
  readonly client: EarmarkClient
  /** Nobody is signed in yet. */
  readonly watched: Watched
}

interface Options {
  readonly server?: Parameters<typeof startConsole>[0]
  readonly page?: BrowserContextOptions
  /** Whether the page is signed in once all is prepared. */
  readonly signsIn?: boolean
}

/** Nothing is opened where no browser is. `prepare` takes what the file needs, and makes what its tests are about. */
export const setUp = (
  { server: options, page, signsIn = true }: Options,
  prepare: (given: Given) => unknown,
) => {
  let server: ConsoleServer | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    if (browserMissing !== null) return
    ;[server, browser] = await Promise.all([startConsole(options), openBrowser()])
    const { origin, key } = server
    const client = new EarmarkClient({ baseUrl: origin, apiKey: key })
    const watched = await openPage(browser, origin, page)
    await prepare({ server, browser, client, watched })
    if (signsIn) await signIn(watched.page, origin, key)
  }, 60_000)
  // Pages are closed with the browser.
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })
}
