import { randomBytes } from "node:crypto"
import { APP_SCOPES, addressesOf, CONNECTOR_PATH, RESOURCE_METADATA_PATH } from "@earmark/authorization"
import { Effect } from "effect"
import type { AgentFacts } from "../AgentFacts.js"
import { jsonReply } from "../answers/Reply.js"
import { corsHeaders, isPreflight } from "../requests/cors.js"
import type { Mount } from "../server/Mount.js"
import { securityHeaders } from "../server/securityHeaders.js"
import { send } from "../server/send.js"

const PATHS: ReadonlyArray<string> = [RESOURCE_METADATA_PATH, `${RESOURCE_METADATA_PATH}${CONNECTOR_PATH}`]

/** Tells apps where tokens for the connector come from (RFC 9728). */
export const metadataMount = (facts: AgentFacts): Mount => {
  const { resource, issuer } = addressesOf(facts.baseUrl)
  const metadata = jsonReply(
    200,
    {
      resource,
      authorization_servers: [facts.issuer ?? issuer],
      scopes_supported: APP_SCOPES,
      bearer_methods_supported: ["header"],
      resource_name: "Earmark",
    },
    { "Cache-Control": "public, max-age=300" },
  )
  const notAllowed = jsonReply(405, { error: "method_not_allowed" }, { Allow: "GET, HEAD" })
  const common = securityHeaders(facts)

  return {
    owns: (path) => PATHS.includes(path),
    route: RESOURCE_METADATA_PATH,
    answer: (request, response) =>
      Effect.suspend(() => {
        const isRead = request.method === "GET" || request.method === "HEAD"
        const read = isRead ? metadata : notAllowed
        const reply = isPreflight(request) ? { status: 204, headers: {}, body: null } : read
        const cors = corsHeaders(request, "anybody", [])
        const id = { "Request-Id": `req_${randomBytes(10).toString("hex")}` }
        return send(request, response, { ...reply, headers: { ...common, ...cors, ...id, ...reply.headers } })
      }),
  }
}
