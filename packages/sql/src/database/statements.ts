import type { QueryConfig } from "pg"
import { types } from "./values.js"

const MOST_NAMES = 500
/** A statement seen this often is worth being kept prepared. */
const NAMED_FROM = 3

/** Marks a statement whose plan depends on its values too much for one plan to fit all. */
export const PLAN_EACH_TIME = "/* plan each time */"

/**
 * Whether a row that is looked up by its id is of an account. A plain `=` could be answered by an index that begins with the account:
 * planned while the store is empty, a statement would walk through all jobs of the account, for as long as its plan is kept.
 */
export const ofAccount = (column: string, account: string): string => `${column} || '' = ${account}`

/** The names of statements that come often; `prefix` keeps them apart from those of others on the same connection. */
export const makeNames = (prefix: string): ((text: string) => string | undefined) => {
  const uses = new Map<string, number>()
  const names = new Map<string, string>()

  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= MOST_NAMES || text.startsWith(PLAN_EACH_TIME)) return undefined
    const count = (uses.get(text) ?? 0) + 1
    if (count < NAMED_FROM) {
      // Statements made up anew each time would fill it.
      if (uses.size >= MOST_NAMES) uses.clear()
      uses.set(text, count)
      return undefined
    }
    uses.delete(text)
    const name = `${prefix}_${names.size + 1}`
    names.set(text, name)
    return name
  }
}

// One for all stores of a process, since they may share connections.
const nameOf = makeNames("earmark")

/** The driver's form of a statement: under a name when it comes often, so that it is parsed and planned once per connection. */
export const makeStatements =
  (prepare: boolean) =>
  (text: string, values: ReadonlyArray<unknown>): QueryConfig => {
    const name = prepare && values.length > 0 ? nameOf(text) : undefined
    const config = { text, values: [...values], types }
    return name === undefined ? config : { ...config, name }
  }
