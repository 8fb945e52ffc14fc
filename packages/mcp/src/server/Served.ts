import type {
  CallToolResult,
  CompleteRequestParams,
  GetPromptResult,
  InputRequiredResult,
  ListResourcesResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from "@modelcontextprotocol/server"
import type { Abilities } from "./abilities.js"

/** A tool on the wire, and what it does. */
export interface ServedTool {
  readonly definition: Tool
  /** Other names that it is called by, and not listed under. */
  readonly aliases?: ReadonlyArray<string>
  /** All of these are needed to call it. */
  readonly scopes: ReadonlyArray<string>
  readonly call: (
    args: Readonly<Record<string, unknown>>,
    context: ServerContext,
    abilities: Abilities,
  ) => Promise<CallToolResult | InputRequiredResult>
}

export interface ServedResource {
  readonly definition: Resource
  readonly read: (uri: string, context: ServerContext) => Promise<ReadResourceResult>
}

/** Resources that cannot be listed once and for all. */
export interface ServedResources {
  readonly templates: ReadonlyArray<ResourceTemplateType>
  /** A page of those that can be listed. */
  readonly list: (cursor: string | undefined, context: ServerContext) => Promise<ListResourcesResult>
  /** The content, or null when the address is none of these. */
  readonly read: (uri: string, context: ServerContext) => Promise<ReadResourceResult> | null
}

export interface ServedPrompt {
  readonly definition: Prompt
  readonly get: (
    args: Readonly<Record<string, string>>,
    context: ServerContext,
  ) => Promise<GetPromptResult | InputRequiredResult>
}

/** Work that is followed by an id. Each answers null for an id that is none of its own. */
export interface ServedTasks {
  readonly get: (id: string, context: ServerContext) => Promise<object | null>
  readonly cancel: (id: string, context: ServerContext) => Promise<true | null>
  /** Answers to what a task has asked. */
  readonly update: (id: string, context: ServerContext) => Promise<true | null>
}

/** What a server offers. Tests add to it what suites of the protocol ask for. */
export interface Served {
  readonly tools: ReadonlyArray<ServedTool>
  readonly resources: ReadonlyArray<ServedResource>
  readonly families: ReadonlyArray<ServedResources>
  readonly prompts: ReadonlyArray<ServedPrompt>
  readonly tasks?: ReadonlyArray<ServedTasks>
  /** What an argument of a prompt or of a template may be, given how it begins. */
  readonly complete: (
    reference: CompleteRequestParams["ref"],
    argument: CompleteRequestParams["argument"],
    context: ServerContext,
  ) => Promise<ReadonlyArray<string>>
}

export const nothingServed: Served = {
  tools: [],
  resources: [],
  families: [],
  prompts: [],
  complete: async () => [],
}

/** One offer of two: where both know something, the first goes first. */
export const together = (first: Served, second: Served): Served => ({
  tools: [...first.tools, ...second.tools],
  resources: [...first.resources, ...second.resources],
  families: [...first.families, ...second.families],
  prompts: [...first.prompts, ...second.prompts],
  tasks: [...(first.tasks ?? []), ...(second.tasks ?? [])],
  complete: async (reference, argument, context) => [
    ...(await first.complete(reference, argument, context)),
    ...(await second.complete(reference, argument, context)),
  ],
})
