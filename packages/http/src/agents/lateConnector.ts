import type { Connector } from "@earmark/mcp"
import { Effect } from "effect"
import type { ToolFacts, ToolNeeds } from "./openConnector.js"

/** The connector of the tools for agents over the use cases, which loads them with its first request. Closing it does not load them. */
export const lateConnector = (facts: ToolFacts) =>
  Effect.map(Effect.runtime<ToolNeeds>(), (runtime): Connector => {
    let opened: Promise<Connector> | null = null
    const open = () => {
      opened ??= import("./openConnector.js").then(({ openConnector }) => openConnector(facts, runtime))
      return opened
    }
    return {
      fetch: async (request, caller) => (await open()).fetch(request, caller),
      close: async () => (await opened)?.close(),
    }
  })
