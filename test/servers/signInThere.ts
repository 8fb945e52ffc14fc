import type { makeBrowser } from "../../packages/http/test/agents/browser.js"

type Browser = ReturnType<typeof makeBrowser>

/** Signs in at a provider; answers where that sends the browser, which does not go there. */
export const signInThere = async (browser: Browser, address: string, name = "ann"): Promise<URL> => {
  let shown = await browser.open(address)
  if (shown.html.includes('name="login"'))
    shown = await browser.send(shown, "", { login: name, password: "x" })
  if (shown.html.includes('value="consent"')) shown = await browser.send(shown, "")
  if (shown.status !== 0) throw new Error(`The provider does not send back: ${shown.status} ${shown.html}`)
  return new URL(shown.address)
}
