import type { StorageError } from "@earmark/service"
import { Effect, Exit, Runtime } from "effect"
import type { QueryResultRow } from "pg"
import type { Database } from "./Database.js"

/** A statement that finds many rows by what they are asked for by; at most one row for each. */
export interface LookupStatement<Key, Row> {
  readonly operation: string
  readonly text: string
  readonly values: (keys: ReadonlyArray<Key>) => ReadonlyArray<unknown>
  /** Which answer belongs to which question. */
  readonly nameOfKey: (key: Key) => string
  readonly nameOfRow: (row: Row) => string
  /** Whose rows they are, where rows belong to tenants. */
  readonly accountOf?: (key: Key) => string
  /** It writes and may wait for locks, so it is sent as what writes is. */
  readonly writes?: boolean
}

const MOST_AT_ONCE = 64
/** A statement that takes longer no longer keeps those that came after it waiting. */
const PATIENCE = 20

type Asker<Row> = (answer: Exit.Exit<Row | undefined, StorageError>) => void

interface Question<Key, Row> {
  readonly key: Key
  readonly askers: Set<Asker<Row>>
}

const once = (then: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    then()
  }
}

/**
 * Reads rows one by one. Those that are asked for while others are being read go together, in one statement: nobody waits for company,
 * nothing is remembered, and every look into the database begins after it was asked for.
 */
export const makeLookup = <Key, Row extends QueryResultRow>(
  database: Database["Type"],
  { operation, text, values, nameOfKey, nameOfRow, accountOf, writes = false }: LookupStatement<Key, Row>,
): Effect.Effect<(key: Key) => Effect.Effect<Row | undefined, StorageError>> =>
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const run = Runtime.runCallback(runtime)

    const read = (keys: ReadonlyArray<Key>, account?: string) =>
      database.query<Row>(operation, text, values(keys), {
        reads: !writes,
        ...(account !== undefined && { account }),
      })

    const waiting = new Map<string, Question<Key, Row>>()
    let isFlying = false

    const take = (): ReadonlyMap<string, Question<Key, Row>> => {
      const taken = new Map<string, Question<Key, Row>>()
      for (const [name, question] of waiting) {
        if (taken.size === MOST_AT_ONCE) break
        waiting.delete(name)
        taken.set(name, question)
      }
      return taken
    }

    const fly = () => {
      isFlying = true
      const questions = take()
      const keys = Array.from(questions.values(), ({ key }) => key)
      const landed = once(() => {
        isFlying = false
        if (waiting.size > 0) fly()
      })
      // @effect-diagnostics-next-line globalTimers:off -- outside of every fiber
      const patience = setTimeout(landed, PATIENCE)
      run(read(keys), {
        onExit: (exit) => {
          clearTimeout(patience)
          const found = Exit.map(exit, (rows) => new Map(rows.map((row) => [nameOfRow(row), row])))
          for (const [name, { askers }] of questions) {
            const answer = Exit.map(found, (rows) => rows.get(name))
            for (const tell of askers) tell(answer)
          }
          landed()
        },
      })
    }

    const together = (key: Key) =>
      Effect.async<Row | undefined, StorageError>((resume) => {
        const name = nameOfKey(key)
        const question = waiting.get(name) ?? { key, askers: new Set<Asker<Row>>() }
        question.askers.add(resume)
        waiting.set(name, question)
        if (!isFlying) fly()
        return Effect.sync(() => {
          question.askers.delete(resume)
          if (question.askers.size === 0 && waiting.get(name) === question) waiting.delete(name)
        })
      })

    // Under row security a statement sees the rows of one tenant.
    const alone = (key: Key) => Effect.map(read([key], accountOf?.(key)), ([row]) => row)
    return accountOf !== undefined && database.rowSecurity ? alone : together
  })
