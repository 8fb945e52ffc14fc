/** The tools for agents: a fifth of the code of a server, loaded when the first agent comes. */
import { addressesOf } from "@earmark/authorization"
import { type Connector, makeConnector, serviceBackends } from "@earmark/mcp"
import { JobNews } from "@earmark/service"
import { Effect, Runtime } from "effect"

export interface ToolFacts {
  readonly baseUrl: string
  /** Whether clients of older protocol versions get sessions. */
  readonly sessions: boolean
}

export type ToolNeeds = Effect.Effect.Context<ReturnType<typeof serviceBackends>> | JobNews

const connector = ({ baseUrl, sessions }: ToolFacts) =>
  Effect.gen(function* () {
    const backendFor = yield* serviceBackends({ baseUrl })
    const news = yield* JobNews
    const runtime = yield* Effect.runtime<never>()
    const resourceMetadataUrl = addressesOf(baseUrl).resourceMetadata
    return makeConnector({ backendFor, news, sessions, resourceMetadataUrl, runtime })
  })

export const openConnector = (facts: ToolFacts, runtime: Runtime.Runtime<ToolNeeds>): Promise<Connector> =>
  Runtime.runPromise(runtime)(connector(facts))
