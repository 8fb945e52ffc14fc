/** The tools for agents: a fifth of the code of a server, loaded when the first agent comes. */
import { Agents } from "@earmark/http"
import { type Connector, makeConnector, serviceBackends } from "@earmark/mcp"
import type { Settings } from "@earmark/runtime"
import { JobNews } from "@earmark/service"
import { Effect, Runtime } from "effect"

export type Needs = Effect.Effect.Context<ReturnType<typeof serviceBackends>> | JobNews

const connector = ({ baseUrl, mcpSessions }: Settings) =>
  Effect.gen(function* () {
    const backendFor = yield* serviceBackends({ baseUrl })
    const news = yield* JobNews
    const runtime = yield* Effect.runtime<never>()
    return makeConnector({
      backendFor,
      news,
      sessions: mcpSessions,
      resourceMetadataUrl: Agents.resourceMetadataUrl(baseUrl),
      runtime,
    })
  })

export const openConnector = (settings: Settings, runtime: Runtime.Runtime<Needs>): Promise<Connector> =>
  Runtime.runPromise(runtime)(connector(settings))
