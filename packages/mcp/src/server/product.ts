import type { Scope } from "@earmark/core/wire"
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { Cause, Effect, Exit, Runtime } from "effect"
import { completionsOf } from "../prompts/completions.js"
import { promptResult, prompts } from "../prompts/prompts.js"
import { CREDITS, parseAddress } from "../resources/address.js"
import { readResource } from "../resources/read.js"
import { listResources, templates } from "../resources/resources.js"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import type { LocalFiles } from "../tools/LocalFiles.js"
import { type AnyTool, errorResult, type Refused, type ToolCall } from "../tools/Tool.js"
import { errorLine, ToolRefused, toolErrorOf } from "../tools/ToolRefused.js"
import { cancelTask, findTask } from "../tools/tasks.js"
import { tools } from "../tools/tools.js"
import { toldJob } from "../tools/transcribe.js"
import type { Abilities } from "./abilities.js"
import type { Calls } from "./Calls.js"
import type { Served, ServedPrompt, ServedResources, ServedTasks, ServedTool } from "./Served.js"

/** For whom a request is answered. */
export interface Customer {
  readonly backend: TranscriptionBackend["Type"]
  /** Null where the service itself checks them. */
  readonly scopes: ReadonlyArray<Scope> | null
}

interface ProductFacts {
  /** Whose request it is. Asked with each one: a conversation may have requests of several keys. */
  readonly customerOf: (context: ServerContext) => Customer
  /** The files of this machine; null on a hosted server. */
  readonly files: LocalFiles | null
  readonly runtime: Runtime.Runtime<never>
  readonly calls: Calls
}

/** Notes about a call that waits. A client that is gone hears nothing, and that is all. */
const progressOf =
  ({ mcpReq }: ServerContext): ToolCall["progress"] =>
  (progress, total, message) => {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken === undefined) return Effect.void
    const params = { progressToken, progress, total, message }
    return Effect.promise(() => mcpReq.notify({ method: "notifications/progress", params }).catch(() => {}))
  }

const callOf = (context: ServerContext, abilities: Abilities, { files, calls }: ProductFacts): ToolCall => ({
  progress: progressOf(context),
  stopped: calls.stopped,
  abilities,
  answers: context.mcpReq.inputResponses ?? {},
  files,
})

const lacking = (scope: Scope) =>
  errorResult(
    toolErrorOf(
      new ToolRefused({ code: "insufficient_scope", detail: `This needs a key with the scope ${scope}.` }),
    ),
  )

const lacks = ({ scopes }: Customer, scope: Scope): boolean => scopes !== null && !scopes.includes(scope)

const servedTool = (tool: AnyTool, facts: ProductFacts): ServedTool => ({
  definition: facts.files === null ? tool.definition : tool.localDefinition,
  aliases: tool.aliases,
  scopes: [tool.scope],
  call: async (args, context, abilities) => {
    const customer = facts.customerOf(context)
    if (lacks(customer, tool.scope)) return lacking(tool.scope)
    const run = tool
      .run(args, callOf(context, abilities, facts))
      .pipe(Effect.provideService(TranscriptionBackend, customer.backend))
    return facts.calls.add(Runtime.runPromise(facts.runtime)(run, { signal: context.mcpReq.signal }))
  },
})

type Failure = Refused | ResourceNotFoundError

/** What the protocol says of it where there is no result of a tool to say it with. */
const protocolError = (failure: Failure): Error =>
  failure instanceof ResourceNotFoundError
    ? failure
    : new ProtocolError(ProtocolErrorCode.InvalidParams, errorLine(toolErrorOf(failure)))

/** Runs what reads for the customer of a request; refused without the scope for it. */
const reading =
  ({ customerOf, runtime }: ProductFacts, scope: Scope = "transcriptions:read") =>
  <Value>(
    read: Effect.Effect<Value, Failure, TranscriptionBackend>,
    context: ServerContext,
  ): Promise<Value> => {
    const customer = customerOf(context)
    const allowed = lacks(customer, scope)
      ? Effect.fail(
          new ToolRefused({
            code: "insufficient_scope",
            detail: `This needs the scope ${scope}.`,
          }),
        )
      : read
    const run = allowed.pipe(
      Effect.mapError(protocolError),
      Effect.provideService(TranscriptionBackend, customer.backend),
      Effect.exit,
    )
    return Runtime.runPromise(runtime)(run, { signal: context.mcpReq.signal }).then(
      Exit.getOrElse((cause) => {
        throw Cause.squash(cause)
      }),
    )
  }

/** What reading a resource needs, and hearing that it has changed. */
export const scopeOfResource = (uri: string): Scope =>
  uri === CREDITS ? "billing:read" : "transcriptions:read"

const resourcesFor = (facts: ProductFacts): ServedResources => ({
  templates,
  list: (cursor, context) => reading(facts)(listResources(cursor), context),
  read: (uri, context) =>
    uri === CREDITS || parseAddress(uri) !== null
      ? reading(facts, scopeOfResource(uri))(readResource(uri), context)
      : null,
})

const tasksFor = (facts: ProductFacts): ServedTasks => {
  const run = reading(facts)
  return {
    get: (id, context) => run(findTask(id, toldJob), context),
    cancel: (id, context) => reading(facts, "transcriptions:write")(cancelTask(id), context),
    // Nothing of ours asks anything while it works.
    update: (id, context) =>
      run(findTask(id, toldJob), context).then((task) => (task === null ? null : true)),
  }
}

const servedPrompt = (prompt: (typeof prompts)[number]): ServedPrompt => ({
  definition: prompt.definition,
  get: async (args) => {
    const result = promptResult(prompt, args)
    if (result instanceof ToolRefused) throw protocolError(result)
    return result
  },
})

const isOurs = (reference: Parameters<Served["complete"]>[0]): boolean =>
  reference.type === "ref/prompt"
    ? prompts.some(({ definition }) => definition.name === reference.name)
    : templates.some(({ uriTemplate }) => uriTemplate === reference.uri)

/** Everything that Earmark offers over MCP. */
export const productFor = (facts: ProductFacts): Served => ({
  tools: tools.map((tool) => servedTool(tool, facts)),
  resources: [],
  families: [resourcesFor(facts)],
  prompts: prompts.map(servedPrompt),
  tasks: [tasksFor(facts)],
  complete: async (reference, { name, value }, context) =>
    isOurs(reference) ? reading(facts)(completionsOf(name, value), context) : [],
})

/** Which scope each tool needs. */
export const scopesOfTools: ReadonlyArray<readonly [string, ReadonlyArray<Scope>]> = tools.flatMap(
  ({ aliases, definition, scope }) => [definition.name, ...aliases].map((name) => [name, [scope]] as const),
)
