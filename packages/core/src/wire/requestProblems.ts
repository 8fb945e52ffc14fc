/** Turns what a schema found wrong into sentences with a place, without ever repeating the value that was sent. */
import type * as ParseResult from "effect/ParseResult"
import * as SchemaAST from "effect/SchemaAST"
import { nearestName } from "../text/nearestName.js"
import { clip, lastStep, pointerStep } from "./plainJson.js"
import type { RequestProblem } from "./problems.js"

type Issue = ParseResult.ParseIssue

const MOST_PROBLEMS = 20
const LONGEST_DETAIL = 300

export interface FoundProblem extends RequestProblem {
  readonly isUnknownField: boolean
}

const described = (ast: SchemaAST.AST): string | undefined => {
  const description = SchemaAST.getDescriptionAnnotation(ast)
  return description._tag === "Some" ? description.value : undefined
}

const isAbsence = (ast: SchemaAST.AST): boolean =>
  ast._tag === "UndefinedKeyword" || (ast._tag === "Literal" && ast.literal === null)

/** What would have been right, for example `a text of 1 to 300 characters`. */
const expected = (ast: SchemaAST.AST): string => {
  switch (ast._tag) {
    case "Union":
      return [...new Set(ast.types.filter((type) => !isAbsence(type)).map(expected))].join(" or ")
    case "Literal":
      return JSON.stringify(ast.literal)
    case "StringKeyword":
      return "a text"
    case "NumberKeyword":
      return "a number"
    case "BooleanKeyword":
      return "true or false"
    case "TypeLiteral":
      return "an object"
    case "TupleType":
      return described(ast) ?? "an array"
    case "Refinement":
      return described(ast) ?? expected(ast.from)
    case "Transformation":
      return expected(ast.from)
    default:
      return described(ast) ?? String(ast)
  }
}

const fieldNames = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "TypeLiteral"
    ? ast.propertySignatures.flatMap(({ name }) => (typeof name === "string" ? [name] : []))
    : []

const unknownField = (name: string, known: ReadonlyArray<string>): string => {
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`
  return `There is no field ${clip(name, 64)} here${hint}`
}

/** Of a union's members only one that fitted in kind, but not in detail, is worth following. */
const closest = (issue: ParseResult.Composite): Issue | undefined => {
  const close = [issue.issues].flat().filter((member) => member._tag !== "Type")
  return close.length === 1 ? close[0] : undefined
}

interface Place {
  readonly pointer: string
  /** The names that would have been right here. */
  readonly known: ReadonlyArray<string>
}

interface Below {
  readonly issue: Issue
  readonly place: Place
}

/** An array that is too short is told as one: nobody knows an element that is not there. */
const lacksElements = ({ ast, issues }: ParseResult.Composite): boolean =>
  ast._tag === "TupleType" &&
  [issues].flat().every((inner) => inner._tag === "Pointer" && inner.issue._tag === "Missing")

/** The problems inside a problem, each with its place; none when the issue itself is the sentence. */
const below = (issue: Issue, place: Place): ReadonlyArray<Below> => {
  switch (issue._tag) {
    case "Pointer": {
      const pointer = [issue.path]
        .flat()
        .reduce<string>((above, step) => above + pointerStep(step), place.pointer)
      return [{ issue: issue.issue, place: { ...place, pointer } }]
    }
    case "Composite": {
      if (lacksElements(issue)) return []
      if (issue.ast._tag !== "Union") {
        const known = fieldNames(issue.ast)
        return [issue.issues].flat().map((inner) => ({ issue: inner, place: { ...place, known } }))
      }
      const member = closest(issue)
      return member === undefined ? [] : [{ issue: member, place }]
    }
    case "Refinement":
    case "Transformation":
      return [{ issue: issue.issue, place }]
    default:
      return []
  }
}

const sentence = (issue: Issue, { pointer, known }: Place): string => {
  switch (issue._tag) {
    case "Unexpected":
      return unknownField(lastStep(pointer), known)
    case "Missing":
      return "This field is required"
    case "Type":
      return issue.message ?? `Expected ${expected(issue.ast)}`
    case "Composite":
      return `Expected ${expected(issue.ast)}`
    default:
      return "This is not allowed here"
  }
}

const collect = (issue: Issue, place: Place, found: Array<FoundProblem>): void => {
  if (found.length >= MOST_PROBLEMS) return
  const inner = below(issue, place)
  if (inner.length === 0) {
    const detail = clip(sentence(issue, place), LONGEST_DETAIL)
    found.push({ pointer: place.pointer, detail, isUnknownField: issue._tag === "Unexpected" })
  }
  for (const { issue: next, place: at } of inner) collect(next, at, found)
}

/** The first problems of a value that does not fit its schema, at most twenty. */
export const requestProblems = (issue: Issue): ReadonlyArray<FoundProblem> => {
  const found: Array<FoundProblem> = []
  collect(issue, { pointer: "#", known: [] }, found)
  return found
}
