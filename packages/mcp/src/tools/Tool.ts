import { decodeRequest, type RequestInvalid, type Scope } from "@earmark/core/wire"
import type {
  CallToolResult,
  ContentBlock,
  InputRequiredResult,
  ToolAnnotations,
} from "@modelcontextprotocol/server"
import { Effect, type Either, type Schema } from "effect"
import type { BackendRefused } from "../BackendRefused.js"
import type { Abilities } from "../server/abilities.js"
import type { ServedTool } from "../server/Served.js"
import type { TranscriptionBackend } from "../TranscriptionBackend.js"
import { withoutAliases } from "./aliases.js"
import { fieldNames, objectSchema } from "./jsonSchema.js"
import type { LocalFiles } from "./LocalFiles.js"
import type { Task } from "./Task.js"
import { errorLine, type ToolError, ToolRefused, toolErrorOf } from "./ToolRefused.js"

/** A call, beside its arguments. */
export interface ToolCall {
  /** Told while a call waits. Never fails: a client that is gone is nobody's mistake. */
  readonly progress: (waited: number, total: number, message: string) => Effect.Effect<void>
  /** Returns when the server is to stop: a call that waits answers with what there is. */
  readonly stopped: Effect.Effect<void>
  readonly abilities: Abilities
  /** What the person answered to the questions of this call. */
  readonly answers: Readonly<Record<string, unknown>>
  /** The files of this machine; null on a hosted server. */
  readonly files: LocalFiles | null
}

interface ResourceLink {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

/** What a tool answers: data, and the same for a model that reads text only. */
export interface Told<Output> {
  readonly structured: Output
  /** Our own words: one line of state, and what to do next. */
  readonly lines: ReadonlyArray<string>
  /** Foreign text, already between its marks. */
  readonly foreign?: ReadonlyArray<string>
  readonly links?: ReadonlyArray<ResourceLink>
}

/** Work that goes on: the client follows it by itself. */
export class Ongoing {
  constructor(readonly task: Task) {}
}

/** A question to the person, before anything is done. */
export class Question {
  constructor(readonly asked: InputRequiredResult) {}
}

export type Refused = ToolRefused | BackendRefused | RequestInvalid

/** A tool: what it is told to be, what it takes and gives, and what it does. */
export interface Tool<Input, InputEncoded, Output, OutputEncoded> {
  readonly name: string
  /** Other names that it is called by, and not listed under. */
  readonly aliases?: ReadonlyArray<string>
  readonly title: string
  readonly description: string
  readonly annotations: ToolAnnotations
  /** What is true instead where files of this machine can be written. */
  readonly localAnnotations?: ToolAnnotations
  readonly scope: Scope
  readonly input: Schema.Schema<Input, InputEncoded>
  readonly output: Schema.Schema<Output, OutputEncoded>
  readonly run: (
    input: Input,
    call: ToolCall,
  ) => Effect.Effect<Told<Output> | Question | Ongoing, Refused, TranscriptionBackend>
}

/** A tool whose types are nobody's business any more. */
export interface AnyTool {
  readonly definition: ServedTool["definition"]
  /** The same, where files of this machine can be written. */
  readonly localDefinition: ServedTool["definition"]
  readonly aliases: ReadonlyArray<string>
  readonly scope: Scope
  readonly run: (
    args: unknown,
    call: ToolCall,
  ) => Effect.Effect<CallToolResult | InputRequiredResult, never, TranscriptionBackend>
}

const textBlock = (text: string): ContentBlock => ({ type: "text", text })

export const resultOf = <Output extends object>({
  structured,
  lines,
  foreign = [],
  links = [],
}: Told<Output>): CallToolResult => ({
  content: [
    textBlock(lines.join("\n")),
    ...foreign.map(textBlock),
    ...links.map((link): ContentBlock => ({ type: "resource_link", ...link })),
  ],
  structuredContent: { ...structured },
})

/** Where the data of an error stands: clients hold structured content to the schema of the tool, errors too. */
const ERROR_KEY = "earmark/error"

export const errorResult = (error: ToolError): CallToolResult => ({
  isError: true,
  content: [textBlock(errorLine(error))],
  _meta: { [ERROR_KEY]: error },
})

/** The SDK knows results of tools only, and lets this one through. */
const createdTask = (task: Task): CallToolResult => ({ content: [], ...task, resultType: "task" })

const broken = errorResult(
  toolErrorOf(new ToolRefused({ code: "internal_error", detail: "Something went wrong on our side." })),
)

/** Makes a tool that answers every call: what is refused is an answer too. */
export const tool = <Input, InputEncoded, Output extends object, OutputEncoded>(
  made: Tool<Input, InputEncoded, Output, OutputEncoded>,
): AnyTool => {
  const decodeInput = decodeRequest(made.input)
  const rename = withoutAliases(fieldNames(made.input))
  const run: AnyTool["run"] = (given, call) =>
    Effect.gen(function* () {
      const { args, asWritten } = yield* rename(given)
      const answer = Effect.flatMap(decodeInput(args), (input) => made.run(input, call))
      const told = yield* Effect.catchTag(answer, "RequestInvalid", (invalid) =>
        Effect.fail(asWritten(invalid)),
      )
      if (told instanceof Question) return told.asked
      return told instanceof Ongoing ? createdTask(told.task) : resultOf(told)
    }).pipe(
      Effect.catchAll((refused) => Effect.succeed(errorResult(toolErrorOf(refused)))),
      Effect.catchAllDefect((defect) =>
        Effect.as(Effect.logError(`The tool ${made.name} failed`, defect), broken),
      ),
    )
  const definition = {
    name: made.name,
    title: made.title,
    description: made.description,
    inputSchema: objectSchema(made.input),
    outputSchema: objectSchema(made.output),
    annotations: made.annotations,
  }
  return {
    definition,
    localDefinition: { ...definition, annotations: made.localAnnotations ?? made.annotations },
    aliases: made.aliases ?? [],
    scope: made.scope,
    run,
  }
}

/** What the REST interface reads in its own way, from arguments that a tool has read already. */
export const reread = <Type>(
  either: Either.Either<Type, RequestInvalid>,
): Effect.Effect<Type, RequestInvalid> => either

/** Arguments as the parameters of a query: text, and nothing that is left out. */
export const asQuery = (
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
