import { Cause, Chunk } from "effect"

/** What says which failure of ours it is, and holds nothing of a customer. */
const MARKS = ["code", "reason", "operation", "detail"] as const

/** The details of a database hold rows. */
const MARKS_OF_OTHERS = ["code"] as const

/** What an error says that was given no words. */
const NO_WORDS = "An error has occurred"

const fieldOf = (error: object, name: string): unknown => Reflect.get(error, name)

const wordsOf = (error: object): string => {
  const message = fieldOf(error, "message")
  const words = typeof message === "string" && message !== NO_WORDS ? message : ""
  // A connection that failed at every address says so only in what it is made of.
  if (words === "" && error instanceof AggregateError)
    return error.errors.map((each) => (each instanceof Error ? each.message : String(each))).join("; ")
  return words
}

const marksOf = (error: object, words: string): string => {
  const isOurs = typeof fieldOf(error, "_tag") === "string"
  const marks = (isOurs ? MARKS : MARKS_OF_OTHERS).flatMap((name) => {
    const value = fieldOf(error, name)
    const isTold = (typeof value === "string" || typeof value === "number") && !words.includes(String(value))
    return isTold && value !== "" ? [`${name}=${value}`] : []
  })
  return marks.length === 0 ? "" : ` (${marks.join(", ")})`
}

const placesOf = (stack: string): string =>
  stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n")

const below = (text: string): string => (text === "" ? "" : `\n${text}`)

/** What is no error may hold anything: only what kind of thing it is. */
export const kindOf = (value: object): string => {
  if (Array.isArray(value)) return "a list"
  const kind: unknown = fieldOf(value, "constructor")
  return typeof kind !== "function" || kind === Object ? "an object" : `an object (${kind.name})`
}

/** The innermost of a long row of reasons is near; a ring of them ends. */
const DEEPEST = 4

/**
 * What a failure says, and why it came to it. Where it happened is told only of what nobody foresaw: not of failures of
 * ours, which have a name, nor of those of a system, which have a code.
 */
export const failureText = (failure: unknown, depth = 0): string => {
  if (typeof failure !== "object" || failure === null) return String(failure)
  const tag = fieldOf(failure, "_tag")
  const name = typeof tag === "string" ? tag : failure instanceof Error ? failure.name : null
  if (name === null) return kindOf(failure)
  const words = wordsOf(failure)
  const isForeseen = typeof tag === "string" || fieldOf(failure, "code") !== undefined
  const places = isForeseen || !(failure instanceof Error) ? "" : placesOf(failure.stack ?? "")
  const cause = fieldOf(failure, "cause")
  const why = cause === undefined || depth === DEEPEST ? "" : `because of ${failureText(cause, depth + 1)}`
  return `${words === "" ? name : `${name}: ${words}`}${marksOf(failure, words)}${below(places)}${below(why)}`
}

const defectText = (defect: unknown): string => {
  const told = failureText(defect)
  return told.includes("\n    at ") ? told : `${told}${below(placesOf(Cause.pretty(Cause.die(defect))))}`
}

/** Everything that went wrong, each with what it says. */
export const causeText = (cause: Cause.Cause<unknown>): string => {
  const told = [
    ...Chunk.toReadonlyArray(Cause.failures(cause)).map((failure) => failureText(failure)),
    ...Chunk.toReadonlyArray(Cause.defects(cause)).map(defectText),
  ]
  return told.length === 0 ? Cause.pretty(cause) : told.join("\n")
}
