/** Schemas as clients of MCP read them: JSON Schema 2020-12 without references, unions at the top, or titles. */
import { Option, type Schema, SchemaAST } from "effect"

export interface Json {
  readonly [name: string]: unknown
}

/** A schema of a tool's input or output. */
export interface ObjectJson extends Json {
  readonly type: "object"
}

interface About {
  readonly description: string
  readonly default?: unknown
}

const ABOUT = Symbol.for("@earmark/mcp/About")

const aboutOf = (ast: SchemaAST.AST): Json =>
  Option.match(SchemaAST.getAnnotation<About>(ast, ABOUT), {
    onNone: () => ({}),
    onSome: (about) => ({ ...about }),
  })

/** What models read about a value. Mistakes are explained with the schema's own description. */
export const told = <Type, Encoded>(
  schema: Schema.Schema<Type, Encoded>,
  description: string,
  preset?: unknown,
): Schema.Schema<Type, Encoded> =>
  schema.annotations({
    [ABOUT]: { description, ...(preset !== undefined && { default: preset }) },
  })

/** The same with the value that is taken when the field is left out. */
export const presetTo = <Type, Encoded>(
  schema: Schema.Schema<Type, Encoded>,
  preset: Type,
): Schema.Schema<Type, Encoded> =>
  schema.annotations({ [ABOUT]: { ...aboutOf(schema.ast), default: preset } })

const refinementOf = (ast: SchemaAST.Refinement): Json =>
  Option.match(SchemaAST.getJSONSchemaAnnotation(ast), {
    onNone: () => ({}),
    onSome: (json) => ({ ...json }),
  })

const unionOf = (types: ReadonlyArray<SchemaAST.AST>): Json => {
  const literals = types.flatMap((type) => (type._tag === "Literal" ? [type.literal] : []))
  if (literals.length === types.length) return { type: "string", enum: literals }
  return { anyOf: types.map(jsonOf) }
}

const objectOf = (ast: SchemaAST.TypeLiteral): ObjectJson => ({
  type: "object",
  properties: Object.fromEntries(
    ast.propertySignatures.map(({ name, type }) => [String(name), jsonOf(type)]),
  ),
  required: ast.propertySignatures.filter(({ isOptional }) => !isOptional).map(({ name }) => String(name)),
  additionalProperties: false,
})

const bare = (ast: SchemaAST.AST): Json => {
  switch (ast._tag) {
    case "StringKeyword":
      return { type: "string" }
    case "NumberKeyword":
      return { type: "number" }
    case "BooleanKeyword":
      return { type: "boolean" }
    case "Literal":
      return { type: "string", enum: [ast.literal] }
    case "Union":
      return unionOf(ast.types)
    case "Refinement":
      return { ...jsonOf(ast.from), ...refinementOf(ast) }
    case "TupleType":
      return { type: "array", items: ast.rest.map(({ type }) => jsonOf(type)).at(0) ?? {} }
    case "TypeLiteral":
      return objectOf(ast)
    default:
      throw new Error(`A tool has a schema of a kind that is not expected: ${ast._tag}`)
  }
}

function jsonOf(ast: SchemaAST.AST): Json {
  return { ...bare(ast), ...aboutOf(ast) }
}

const objectAst = <Type, Encoded>({ ast }: Schema.Schema<Type, Encoded>): SchemaAST.TypeLiteral => {
  if (ast._tag !== "TypeLiteral") throw new Error("What a tool takes and gives are objects")
  return ast
}

/** The whole input or output of a tool. */
export const objectSchema = <Type, Encoded>(schema: Schema.Schema<Type, Encoded>): ObjectJson =>
  objectOf(objectAst(schema))

/** The names of all fields of an input or output. */
export const fieldNames = <Type, Encoded>(schema: Schema.Schema<Type, Encoded>): ReadonlyArray<string> =>
  objectAst(schema).propertySignatures.map(({ name }) => String(name))
