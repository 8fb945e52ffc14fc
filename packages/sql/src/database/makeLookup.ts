import type { StorageError } from "@earmark/service"
import { Effect, Exit, type Fiber, Runtime } from "effect"
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

interface Asker<Row> {
  readonly fiber: Fiber.RuntimeFiber<unknown, unknown>
  readonly tell: (answer: Exit.Exit<Row | undefined, StorageError>) => void
}

interface Question<Key, Row> {
  readonly key: Key
  readonly askers: Array<Asker<Row>>
}

const isWanted = <Key, Row>({ askers }: Question<Key, Row>): boolean =>
  askers.some(({ fiber }) => fiber.unsafePoll() === null)

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

    let waiting = new Map<string, Question<Key, Row>>()
    let isFlying = false

    const take = (): Array<Question<Key, Row>> => {
      const taken: Array<Question<Key, Row>> = []
      const rest = new Map<string, Question<Key, Row>>()
      for (const [name, question] of waiting) {
        if (!isWanted(question)) continue
        if (taken.length < MOST_AT_ONCE) taken.push(question)
        else rest.set(name, question)
      }
      waiting = rest
      return taken
    }

    const answer = (
      questions: Array<Question<Key, Row>>,
      exit: Exit.Exit<ReadonlyArray<Row>, StorageError>,
    ) => {
      const found = Exit.map(exit, (rows) => new Map(rows.map((row) => [nameOfRow(row), row])))
      for (const { key, askers } of questions) {
        const row = Exit.map(found, (rows) => rows.get(nameOfKey(key)))
        for (const { tell } of askers) tell(row)
      }
      // Measured: what is not let go of here, everybody who asked with what they were told, outlives the collections of young memory.
      questions.length = 0
    }

    const fly = () => {
      const questions = take()
      if (questions.length === 0) return
      isFlying = true
      const landed = once(() => {
        isFlying = false
        if (waiting.size > 0) fly()
      })
      // @effect-diagnostics-next-line globalTimers:off -- outside of every fiber
      const patience = setTimeout(landed, PATIENCE)
      const keys = questions.map(({ key }) => key)
      run(
        Effect.map(Effect.exit(read(keys)), (exit) => answer(questions, exit)),
        {
          onExit: () => {
            clearTimeout(patience)
            landed()
          },
        },
      )
    }

    // Whoever leaves is noticed when the next statement is made up: every way of hearing of it costs more than the whole question.
    const together = (key: Key) =>
      Effect.withFiberRuntime<Row | undefined, StorageError>((fiber) =>
        Effect.async((tell) => {
          const name = nameOfKey(key)
          const question = waiting.get(name)
          if (question === undefined) waiting.set(name, { key, askers: [{ fiber, tell }] })
          else question.askers.push({ fiber, tell })
          if (!isFlying) fly()
        }),
      )

    // Under row security a statement sees the rows of one tenant.
    const alone = (key: Key) => Effect.map(read([key], accountOf?.(key)), ([row]) => row)
    if (accountOf !== undefined && database.rowSecurity) return alone
    return (key) => Effect.flatMap(database.joined, (run) => (run === null ? together(key) : alone(key)))
  })
