/** What apps reach with tokens: the MCP connector at `/api/mcp`, and the authorization server that hands the tokens out. */
import type { Connector } from "@earmark/mcp"
import { Effect } from "effect"
import type { AgentFacts } from "./AgentFacts.js"
import { authorizationMount } from "./authorization/authorizationMount.js"
import { metadataMount } from "./authorization/metadataMount.js"
import { connectorMount } from "./connector/connectorMount.js"
import { Stopping } from "./server/Stopping.js"

export type { AgentFacts } from "./AgentFacts.js"

/** The mounts of a connector, for as long as the scope lives. Its streams end when the host begins to stop. */
export const mounts = (facts: AgentFacts, makeConnector: () => Connector) =>
  Effect.gen(function* () {
    const stopping = yield* Stopping
    const connector = yield* Effect.acquireRelease(Effect.sync(makeConnector), ({ close }) =>
      Effect.promise(close),
    )
    yield* Effect.forkScoped(Effect.zipRight(stopping.awaited, Effect.promise(connector.close)))
    const ofServer = facts.issuer === null ? [yield* authorizationMount(facts)] : []
    return [yield* connectorMount(facts, connector), metadataMount(facts), ...ofServer]
  })
