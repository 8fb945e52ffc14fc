import { jsonReply, type Reply } from "../answers/Reply.js"
import { DOCS_PAGE } from "../pages/docs/docsPage.js"
import { type Arrived, headerOf } from "../requests/Arrived.js"

const VARY = { Vary: "Accept" }

/** Whoever comes without knowing anything: people are shown the reference, programs are told where everything is. */
export const welcome = (baseUrl: string, { request }: Arrived): Reply => {
  const docs = `${baseUrl}${DOCS_PAGE}`
  if (/\btext\/html\b/i.test(headerOf(request, "accept") ?? "")) {
    return { status: 303, headers: { ...VARY, Location: docs }, body: null }
  }
  const told = {
    name: "Earmark",
    docs,
    openapi: `${baseUrl}/openapi.json`,
    api: `${baseUrl}/api/v1`,
    mcp: `${baseUrl}/api/mcp`,
    ready: `${baseUrl}/readyz`,
  }
  return jsonReply(200, told, VARY)
}
