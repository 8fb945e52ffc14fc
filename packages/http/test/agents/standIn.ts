/** Stands for the tools where only their callers matter. */
import type { Scope } from "@earmark/core/wire"
import type { ConnectorOptions, Served, ServedTool } from "@earmark/mcp"
import { Effect } from "effect"

const tool = (name: string, scopes: ReadonlyArray<Scope>): ServedTool => ({
  definition: { name, description: name, inputSchema: { type: "object" } },
  scopes,
  call: async () => ({ content: [{ type: "text", text: `${name} done` }] }),
})

export const standInTools: Served = {
  tools: [tool("test_read", ["transcriptions:read"]), tool("test_write", ["transcriptions:write"])],
  resources: [],
  families: [],
  prompts: [],
  tasks: [],
  complete: async () => [],
}

const unused = () => Effect.dieMessage("The stand-in has no backend")

export const standInBackend: ReturnType<ConnectorOptions["backendFor"]> = {
  baseUrl: "",
  ask: unused,
  get: unused,
  export: unused,
  exportLink: unused,
  beginUpload: unused,
  upload: unused,
  quote: unused,
}
