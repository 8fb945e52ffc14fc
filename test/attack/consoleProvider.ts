/** A console in which people sign in at a provider of OpenID Connect. */
import { SignInOpenId } from "@earmark/authorization"
import { FetcherNode } from "@earmark/media"
import { AccountLinks, SignIn } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { CLIENT, startProvider } from "../../packages/authorization/test/provider.js"
import type { makeBrowser } from "../../packages/http/test/agents/browser.js"
import { startHost } from "../../packages/http/test/agents/world.js"
import { freePort } from "../servers/processes.js"
import { signInThere } from "../servers/signInThere.js"

export type Browser = ReturnType<typeof makeBrowser>

export type Site = Awaited<ReturnType<typeof startSite>>

export const startSite = async () => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const provider = await startProvider([`${base}/oauth/sign-in`])
  const { clientId, clientSecret } = CLIENT
  const adapters: Array<SignIn["Type"]> = []
  const signInLayer = SignInOpenId.layer({
    issuer: provider.issuer,
    clientId,
    clientSecret: Redacted.make(clientSecret),
  }).pipe(
    Layer.tap((context) => Effect.sync(() => adapters.push(Context.get(context, SignIn)))),
    Layer.provide(FetcherNode.layer()),
  )
  const host = await startHost({ port, signIn: signInLayer })
  const { account: ann } = await host.newKey({ scopes: ["transcriptions:read"] })
  await host.run(
    Effect.flatMap(AccountLinks, (links) => links.link({ issuer: provider.issuer, subject: "ann" }, ann)),
  )

  // Without `Sec-Fetch-Site`, as old browsers: `fetch` does not let it be set.
  const page = () => ({ "Earmark-Console": "1", Origin: host.base, "Content-Type": "application/json" })

  const begin = (browser: Browser, body: unknown = {}, headers: Record<string, string> = page()) =>
    browser.ask(`${host.base}/api/v1/sign-in`, { method: "POST", headers, body: JSON.stringify(body) })

  const toProvider = async (browser: Browser, body: unknown = {}): Promise<string> => {
    const answer = await begin(browser, body)
    assert.strictEqual(answer.status, 200, await answer.clone().text())
    return JSON.parse(await answer.text()).url
  }

  /** Signs in from the beginning to the end. */
  const signIn = async (browser: Browser, body: unknown = {}) =>
    browser.ask((await signInThere(browser, await toProvider(browser, body))).href)

  const account = (browser: Browser) => browser.ask(`${host.base}/api/v1/account`, { headers: page() })

  const isIn = async (browser: Browser) => (await account(browser)).status === 200

  const stop = async () => {
    await host.stop()
    await provider.stop()
  }

  return {
    provider,
    host,
    ann,
    signInLayer,
    /** That of this host. */
    adapter: adapters[0] ?? assert.fail("there is no adapter"),
    page,
    begin,
    toProvider,
    signIn,
    account,
    isIn,
    stop,
  }
}
