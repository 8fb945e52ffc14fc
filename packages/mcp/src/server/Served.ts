import type {
  CallToolResult,
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server"

/** A tool on the wire, and what it does. */
export interface ServedTool {
  readonly definition: Tool
  /** All of these are needed to call it. */
  readonly scopes: ReadonlyArray<string>
  readonly call: (
    args: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ) => Promise<CallToolResult | InputRequiredResult>
}

export interface ServedResource {
  readonly definition: Resource
  readonly read: (uri: string, context: ServerContext) => Promise<ReadResourceResult>
}

export interface ServedTemplate {
  readonly definition: ResourceTemplateType
  /** The content, or null when the address is not one of this template. */
  readonly read: (uri: string, context: ServerContext) => Promise<ReadResourceResult> | null
}

export interface ServedPrompt {
  readonly definition: Prompt
  readonly get: (
    args: Readonly<Record<string, string>>,
    context: ServerContext,
  ) => Promise<GetPromptResult | InputRequiredResult>
}

/** What a server offers. Tests add to it what suites of the protocol ask for. */
export interface Served {
  readonly tools: ReadonlyArray<ServedTool>
  readonly resources: ReadonlyArray<ServedResource>
  readonly templates: ReadonlyArray<ServedTemplate>
  readonly prompts: ReadonlyArray<ServedPrompt>
}

export const nothingServed: Served = { tools: [], resources: [], templates: [], prompts: [] }
