/** What a file of tests begins with: the service, a browser, and a page in which its owner is signed in. */
import { EarmarkClient } from "@earmark/api/client"
import type { Browser, BrowserContextOptions } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { browserMissing, openBrowser, openPage, signIn, type Watched } from "./browser.js"
import { type ConsoleServer, startConsole } from "./server.js"

interface Served {
  readonly server: ConsoleServer
  readonly browser: Browser
  /** Speaks for the account of the server. */
  readonly client: EarmarkClient
}

interface ServeOptions {
  readonly server?: Parameters<typeof startConsole>[0]
  /** Milliseconds until all is prepared. */
  readonly timeout?: number
}

/** The service and a browser. Nothing is opened where no browser is. `prepare` takes what the file needs, and makes what its tests are about. */
export const serve = (
  { server: options, timeout = 60_000 }: ServeOptions,
  prepare: (given: Served) => unknown,
) => {
  let server: ConsoleServer | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    if (browserMissing !== null) return
    ;[server, browser] = await Promise.all([startConsole(options), openBrowser()])
    const client = new EarmarkClient({ baseUrl: server.origin, apiKey: server.key })
    await prepare({ server, browser, client })
  }, timeout)
  // Pages are closed with the browser.
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })
}

interface Given extends Served {
  /** Nobody is signed in yet. */
  readonly watched: Watched
}

interface Options extends ServeOptions {
  readonly page?: BrowserContextOptions
  /** Whether the page is signed in once all is prepared. */
  readonly signsIn?: boolean
}

/** The service, a browser and a page of it. */
export const setUp = ({ page, signsIn = true, ...options }: Options, prepare: (given: Given) => unknown) =>
  serve(options, async (served) => {
    const { origin, key } = served.server
    const watched = await openPage(served.browser, origin, page)
    await prepare({ ...served, watched })
    if (signsIn) await signIn(watched.page, origin, key)
  })
