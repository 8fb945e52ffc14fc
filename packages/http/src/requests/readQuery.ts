import { Either } from "effect"
import { invalid, type Refusal } from "../answers/Refusal.js"

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** No parameter at all. */
export const NOTHING: Readonly<Record<string, string>> = {}

const nothing = Either.right(NOTHING)

/** The parameters of a query. What is no UTF-8, and what is given twice, is refused. */
export const readQuery = (query: string): Either.Either<Readonly<Record<string, string>>, Refusal> => {
  if (query === "") return nothing
  const found = new Map<string, string>()
  for (const part of query.split("&")) {
    if (part === "") continue
    const at = part.indexOf("=")
    const name = decode(at < 0 ? part : part.slice(0, at))
    const value = at < 0 ? "" : decode(part.slice(at + 1))
    if (name === undefined || value === undefined) {
      return Either.left(invalid("#", "The query is not valid percent-encoded UTF-8"))
    }
    if (found.has(name)) return Either.left(invalid("#", "A parameter of the query is given twice"))
    found.set(name, value)
  }
  return Either.right(Object.fromEntries(found))
}
