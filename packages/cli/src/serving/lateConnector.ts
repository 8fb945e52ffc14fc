import type { Connector } from "@earmark/mcp"
import type { Settings } from "@earmark/runtime"
import { Effect } from "effect"
import type { Needs } from "./tools.js"

/** The connector of the tools for agents, which loads them with its first request. Closing it does not load them. */
export const lateConnector = (settings: Settings) =>
  Effect.map(Effect.runtime<Needs>(), (runtime): Connector => {
    let opened: Promise<Connector> | null = null
    const open = () => {
      opened ??= import("./tools.js").then(({ openConnector }) => openConnector(settings, runtime))
      return opened
    }
    return {
      fetch: async (request, caller) => (await open()).fetch(request, caller),
      close: async () => (await opened)?.close(),
    }
  })
