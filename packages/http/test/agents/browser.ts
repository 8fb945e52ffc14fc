/** A browser: cookies, redirects, and forms that are filled in and sent. */

export interface Shown {
  readonly address: string
  readonly status: number
  readonly html: string
  readonly headers: Headers
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`, "i").exec(tag)?.[1]?.replaceAll("&amp;", "&")

const FIRST_FORM = /<form\b([^>]*)>([\s\S]*?)<\/form>/i

/** `sent`: headers that go with every request. */
export const makeBrowser = (sent: Readonly<Record<string, string>> = {}) => {
  const cookies = new Map<string, { readonly value: string; readonly path: string }>()
  /** Every cookie that was set, as it was set. */
  const lines: Array<string> = []

  const cookiesFor = (address: URL) =>
    [...cookies]
      .filter(([, { path }]) => address.pathname.startsWith(path))
      .map(([name, { value }]) => `${name.split(" ", 1)}=${value}`)
      .join("; ")

  const keep = (line: string) => {
    lines.push(line)
    const [pair = "", ...rest] = line.split(";").map((each) => each.trim())
    const at = pair.indexOf("=")
    const path = rest.find((each) => /^path=/i.test(each))?.slice(5) ?? "/"
    const name = `${pair.slice(0, at)} ${path}`
    const isOver = rest.some((each) => /^expires=thu, 01 jan 1970/i.test(each))
    if (isOver || pair.slice(at + 1) === "") cookies.delete(name)
    else cookies.set(name, { value: pair.slice(at + 1), path })
  }

  /** One exchange; redirects are answers. */
  const ask = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers({ ...sent, ...Object.fromEntries(new Headers(init.headers)) })
    // What a page of the console asks takes everything; what the person opens is a page.
    headers.set("accept", headers.has("earmark-console") ? "*/*" : "text/html")
    headers.set("cookie", cookiesFor(new URL(address)))
    const answer = await fetch(address, { redirect: "manual", ...init, headers })
    for (const line of answer.headers.getSetCookie()) keep(line)
    return answer
  }

  /** Follows redirects to the next page, or to an address at another site. */
  const open = async (address: string, init: RequestInit = {}): Promise<Shown> => {
    const { origin } = new URL(address)
    let at = address
    let answer = await ask(at, init)
    for (let hops = 0; hops < 10; hops++) {
      const location = answer.headers.get("location")
      if (location === null) break
      at = new URL(location, at).href
      if (new URL(at).origin !== origin) return { address: at, status: 0, html: "", headers: answer.headers }
      answer = await ask(at)
    }
    return { address: at, status: answer.status, html: await answer.text(), headers: answer.headers }
  }

  /** Sends a form of a page: its hidden fields, what is filled in, and the button that is pressed. */
  const send = (
    shown: Shown,
    action: string,
    filled: Readonly<Record<string, string>> = {},
  ): Promise<Shown> => {
    const [, , inside = ""] = FIRST_FORM.exec(shown.html) ?? []
    const body = new URLSearchParams(filled)
    for (const [tag] of inside.matchAll(/<input\b[^>]*type="hidden"[^>]*>/gi)) {
      body.append(attribute(tag, "name") ?? "", attribute(tag, "value") ?? "")
    }
    body.append("action", action)
    const headers = { "content-type": "application/x-www-form-urlencoded", origin: "null" }
    return open(shown.address, { method: "POST", body, headers })
  }

  /** Signs in with a key and allows what is asked; answers where the app's answer went. */
  const allow = async (address: string, key: string): Promise<URL> => {
    let shown = await open(address)
    if (shown.html.includes('name="api_key"')) shown = await send(shown, "sign_in", { api_key: key })
    if (shown.html.includes('value="allow"')) shown = await send(shown, "allow")
    if (shown.status !== 0)
      throw new Error(
        `stuck at ${shown.address}: ${shown.status} ${shown.html.replace(/<style>[\s\S]*<\/style>|<[^>]+>/g, " ")}`,
      )
    return new URL(shown.address)
  }

  return { ask, open, send, allow, cookies, lines }
}
