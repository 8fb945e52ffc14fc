/** The built application before a host, and a session that is a key in a cookie. */
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from "node:http"
import { freePort } from "../servers/processes.js"

export interface Front {
  readonly origin: string
  readonly close: () => void
}

const dist = new URL("../../packages/console/dist/", import.meta.url)

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
}

const sendFile = (path: string, response: ServerResponse) => {
  const name = path.slice("/console/".length)
  const ending = name.slice(name.lastIndexOf(".") + 1)
  const isAsset = name.startsWith("assets/")
  const type = isAsset ? (TYPES[ending] ?? "text/plain") : "text/html; charset=utf-8"
  response.writeHead(200, {
    "Content-Type": type,
    "Content-Security-Policy": CSP,
    "Cache-Control": isAsset ? "public, max-age=31536000, immutable" : "no-store",
    ...(isAsset && { "Content-Encoding": "br" }),
  })
  response.end(readFileSync(new URL(isAsset ? `${name}.br` : "index.html", dist)))
}

const keyIn = ({ headers }: IncomingMessage) => /earmark=([\w-]+)/.exec(headers.cookie ?? "")?.[1]

const bodyOf = async (request: IncomingMessage) => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString()
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body))

const SCOPES = [
  "transcriptions:read",
  "transcriptions:write",
  "webhooks",
  "billing:read",
  "billing:write",
  "keys",
]

const session = async (request: IncomingMessage, response: ServerResponse, port: number) => {
  if (request.method === "DELETE")
    return json(response, 200, {}, { "Set-Cookie": "earmark=; Max-Age=0; Path=/" })
  const { key } = JSON.parse(await bodyOf(request))
  const { ok } = await fetch(`http://127.0.0.1:${port}/api/v1/credits`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  if (!ok)
    return json(response, 401, { title: "Unauthorized", status: 401, code: "unauthorized", detail: "No" })
  return json(response, 200, {}, { "Set-Cookie": `earmark=${key}; HttpOnly; SameSite=Lax; Path=/` })
}

const account = (request: IncomingMessage, response: ServerResponse) =>
  keyIn(request) === undefined
    ? json(response, 200, null)
    : json(response, 200, { id: "acct_ann", name: "Ann", scopes: SCOPES, is_test: false })

const pass = (request: IncomingMessage, response: ServerResponse, port: number) => {
  const { cookie: _, ...headers } = request.headers
  const key = keyIn(request)
  const through = requestOf(
    {
      port,
      path: request.url,
      method: request.method,
      headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    },
  )
  through.on("error", () => response.destroy())
  request.pipe(through)
}

export const openFront = async (port: number): Promise<Front> => {
  const own = await freePort()
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?", 1).join("")
    if (path.startsWith("/console")) return sendFile(path, response)
    if (path === "/api/v1/session") return void session(request, response, port)
    if (path === "/api/v1/account") return account(request, response)
    pass(request, response, port)
  })
  await new Promise<void>((resolve) => server.listen(own, "127.0.0.1", resolve))
  return {
    origin: `http://127.0.0.1:${own}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
