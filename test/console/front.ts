/** The built application before a host: a server that serves the one, and passes everything else on. */
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

const pass = (request: IncomingMessage, response: ServerResponse, port: number) => {
  const through = requestOf(
    {
      port,
      path: request.url,
      method: request.method,
      headers: request.headers,
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
