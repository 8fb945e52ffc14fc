/** What apps reach with tokens: the MCP connector at `/api/mcp`, and the authorization server that hands the tokens out. */

import { addressesOf } from "@earmark/authorization"
import type { Connector } from "@earmark/mcp"
import { Effect } from "effect"
import type { AgentFacts } from "./AgentFacts.js"
import { authorizationMount } from "./agents/authorizationMount.js"
import { metadataMount } from "./agents/metadataMount.js"
import { connectorMount } from "./connector/connectorMount.js"
import { Stopping } from "./server/Stopping.js"

export type { AgentFacts } from "./AgentFacts.js"
export { lateConnector } from "./agents/lateConnector.js"
export type { ToolFacts, ToolNeeds } from "./agents/openConnector.js"

/** Where apps read who gives out tokens for the connector. */
export const resourceMetadataUrl = (baseUrl: string): string => addressesOf(baseUrl).resourceMetadata

/** The mounts of a connector, for as long as the scope lives. Its streams end when the host begins to stop. */
export const mounts = <E, R>(facts: AgentFacts, makeConnector: Effect.Effect<Connector, E, R>) =>
  Effect.gen(function* () {
    const stopping = yield* Stopping
    const connector = yield* Effect.acquireRelease(makeConnector, ({ close }) => Effect.promise(close))
    yield* Effect.forkScoped(Effect.zipRight(stopping.awaited, Effect.promise(connector.close)))
    const ofServer = facts.issuer === null ? [yield* authorizationMount(facts)] : []
    return [yield* connectorMount(facts, connector), metadataMount(facts), ...ofServer]
  })
