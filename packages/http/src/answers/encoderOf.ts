import { SchemaAST as AST, Either, identity, Option, ParseResult, Schema } from "effect"

/** Writes a value that is known to be right. */
export type Encode = (value: unknown) => unknown

const same: Encode = identity

interface Field {
  /** On the wire. */
  readonly name: PropertyKey
  /** In our values. */
  readonly key: PropertyKey
  readonly encode: Encode
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const viaSchema = (ast: AST.AST): Encode => {
  const encode = ParseResult.encodeUnknownSync(Schema.make(ast))
  return (value) => encode(value)
}

/** What is not declared is left out, and so is what is not there. */
const ofFields =
  (fields: ReadonlyArray<Field>): Encode =>
  (value) => {
    const encoded: Record<PropertyKey, unknown> = {}
    if (!isObject(value)) return encoded
    for (const { name, key, encode } of fields) {
      const given: unknown = Reflect.get(value, key)
      if (given !== undefined) encoded[name] = encode(given)
    }
    return encoded
  }

const fieldsOf = ({ propertySignatures }: AST.TypeLiteral, keys: ReadonlyMap<PropertyKey, PropertyKey>) =>
  propertySignatures.map(
    ({ name, type }): Field => ({ name, key: keys.get(name) ?? name, encode: compile(type) }),
  )

const ofLiteral = (ast: AST.TypeLiteral): Encode => {
  if (ast.indexSignatures.length === 0) return ofFields(fieldsOf(ast, new Map()))
  const isPlain =
    ast.propertySignatures.length === 0 && ast.indexSignatures.every(({ type }) => compile(type) === same)
  return isPlain ? same : viaSchema(ast)
}

const ofTuple = (ast: AST.TupleType): Encode => {
  const [item] = ast.rest
  if (ast.elements.length > 0 || ast.rest.length > 1 || item === undefined) return viaSchema(ast)
  const encode = compile(item.type)
  if (encode === same) return same
  return (value) => (Array.isArray(value) ? value.map((each) => encode(each)) : value)
}

/** Names that differ on the wire. Everything else that a transformation of fields can do is left to the schema. */
const ofRenamed = (ast: AST.Transformation): Encode => {
  const { from, to, transformation } = ast
  const isRenaming =
    AST.isTypeLiteral(from) &&
    AST.isTypeLiteral(to) &&
    from.indexSignatures.length === 0 &&
    AST.isTypeLiteralTransformation(transformation) &&
    transformation.propertySignatureTransformations.every(({ encode }) => encode === identity)
  if (!isRenaming) return viaSchema(ast)
  const keys = new Map(transformation.propertySignatureTransformations.map(({ from, to }) => [from, to]))
  return ofFields(fieldsOf(from, keys))
}

const ofFinal = (ast: AST.Transformation, transformation: AST.FinalTransformation): Encode => {
  const inner = compile(ast.to)
  const outer = compile(ast.from)
  return (value) => {
    // @effect-diagnostics-next-line anyUnknownInErrorContext:off -- so the schema's own types say
    const changed: unknown = transformation.encode(inner(value), {}, ast, value)
    if (!Either.isEither(changed) || Either.isLeft(changed))
      throw new Error("A value of ours has no form on the wire")
    return outer(changed.right)
  }
}

const ofTransformation = (ast: AST.Transformation): Encode => {
  switch (ast.transformation._tag) {
    case "FinalTransformation":
      return ofFinal(ast, ast.transformation)
    case "TypeLiteralTransformation":
      return ofRenamed(ast)
    case "ComposeTransformation":
      return viaSchema(ast)
  }
}

const literalsOf = (ast: AST.AST): ReadonlyArray<AST.LiteralValue> => {
  if (AST.isLiteral(ast)) return [ast.literal]
  if (!AST.isUnion(ast)) return []
  const all = ast.types.map(literalsOf)
  return all.some(({ length }) => length === 0) ? [] : all.flat()
}

const literalAt = (ast: AST.AST, key: PropertyKey): ReadonlyArray<AST.LiteralValue> => {
  const type = AST.typeAST(ast)
  if (!AST.isTypeLiteral(type)) return []
  const found = type.propertySignatures.find(({ name, isOptional }) => name === key && !isOptional)
  return found === undefined ? [] : literalsOf(found.type)
}

/** Members that one of their fields tells apart. */
const byTag = (members: ReadonlyArray<AST.AST>): Option.Option<Encode> => {
  const first = AST.typeAST(members[0] ?? AST.neverKeyword)
  const keys = AST.isTypeLiteral(first) ? first.propertySignatures.map(({ name }) => name) : []
  for (const key of keys) {
    const values = members.map((member) => literalAt(member, key))
    const all = values.flat()
    if (values.some(({ length }) => length === 0) || new Set(all).size !== all.length) continue
    const encoders = new Map<unknown, Encode>()
    for (const [index, member] of members.entries()) {
      const encode = compile(member)
      for (const value of values[index] ?? []) encoders.set(value, encode)
    }
    return Option.some((value) => {
      const encode = isObject(value) ? encoders.get(Reflect.get(value, key)) : undefined
      if (encode === undefined) throw new Error("A value of ours has no form on the wire")
      return encode(value)
    })
  }
  return Option.none()
}

/** A text, a number, a literal: never an object. */
const isPrimitive = (ast: AST.AST): boolean => {
  switch (ast._tag) {
    case "Literal":
    case "StringKeyword":
    case "NumberKeyword":
    case "BooleanKeyword":
    case "UndefinedKeyword":
    case "VoidKeyword":
      return true
    case "Refinement":
      return isPrimitive(ast.from)
    case "Union":
      return ast.types.every(isPrimitive)
    default:
      return false
  }
}

const ofUnion = (ast: AST.Union): Encode => {
  const members = ast.types.filter((each) => !isPrimitive(each))
  const [only] = members
  if (only === undefined) return same
  // A number that is a text on the wire is no object, and is not told apart from its neighbours.
  if (members.some((each) => isPrimitive(AST.typeAST(each)))) return viaSchema(ast)
  const encode = members.length === 1 ? Option.some(compile(only)) : byTag(members)
  return Option.match(encode, {
    onNone: () => viaSchema(ast),
    onSome: (objects) => (objects === same ? same : (value) => (isObject(value) ? objects(value) : value)),
  })
}

const compile = (ast: AST.AST): Encode => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ofLiteral(ast)
    case "TupleType":
      return ofTuple(ast)
    case "Transformation":
      return ofTransformation(ast)
    case "Union":
      return ofUnion(ast)
    case "Refinement":
      return compile(ast.from)
    case "Declaration":
      return ast.typeParameters.length === 0 ? same : viaSchema(ast)
    case "Suspend":
      return viaSchema(ast)
    default:
      return same
  }
}

/**
 * How values of a schema are written, found out once. Schemas check and copy what they write; what use cases answer is right by its
 * type, and most of what an answer cost was checking it again. Shapes that are not known here are written by the schema itself.
 */
export const encoderOf = <A, I>(schema: Schema.Schema<A, I>): ((value: A) => unknown) => compile(schema.ast)
