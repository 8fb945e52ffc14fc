import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What a path answers. */
export type Page = (response: ServerResponse, base: string) => void

/** A site on 127.0.0.1 whose owner writes what they like. */
export interface Publisher {
  readonly base: string
  readonly pages: Map<string, Page>
  /** The paths that were asked for, in order. */
  readonly asked: ReadonlyArray<string>
  readonly stop: () => void
}

export const page =
  (type: string, body: string | Uint8Array): Page =>
  (response) =>
    void response.writeHead(200, { "Content-Type": type }).end(body)

/** `/to/<address>` redirects there, whatever it is. */
export const redirectTo = (base: string, address: string) => `${base}/to/${encodeURIComponent(address)}`

const redirect = (response: ServerResponse, path: string) => {
  const to = decodeURIComponent(path.slice("/to/".length)).replace(/[\r\n]/g, "")
  response.writeHead(302, { Location: Buffer.from(to, "utf8").toString("latin1") }).end()
}

export const startPublisher = async (): Promise<Publisher> => {
  const pages = new Map<string, Page>()
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    const path = request.url ?? "/"
    asked.push(path)
    const found = pages.get(path.replace(/\?.*$/, ""))
    request.resume()
    if (path.startsWith("/to/")) redirect(response, path)
    else if (found !== undefined) found(response, `http://${request.headers.host}`)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    base: `http://127.0.0.1:${port}`,
    pages,
    asked,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A feed of items as they are written. */
export const feedOf = (items: string, channel = "", prolog = ""): string =>
  `<?xml version="1.0"?>${prolog}<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Show</title>${channel}${items}</channel></rss>`

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
