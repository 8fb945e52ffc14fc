import type { Operation, operations as Operations } from "@earmark/service"
import { Effect } from "effect"
import { type CommandFailed, usage } from "../../CommandFailed.js"
import { note, print, printable, printableJson } from "../../output.js"
import type { Where } from "../../remote/target.js"
import { type Column, factsOf, tableOf } from "../../table.js"

/** Refuses the name of a server beside options that only the store of this machine takes. */
export const besideStore = ({ server, profile }: Where): Effect.Effect<void, CommandFailed> =>
  server !== undefined || profile !== undefined
    ? usage(
        "--account and --open are for the store of this machine. Leave out --server and --profile, or use a key of the account there.",
      )
    : Effect.void

/** The part that speaks to stores. Bundled apart, since it is as large as all the rest. */
export const loadHost = Effect.promise(() => import("../../administration/host.js"))

/** Does one operation on the store of the environment, wherever it is held. */
export const administer = <Request, RequestWire, Answer, AnswerWire>(
  choose: (all: typeof Operations) => Operation<Request, RequestWire, Answer, AnswerWire>,
  request: RequestWire,
): Effect.Effect<AnswerWire, CommandFailed> =>
  Effect.flatMap(loadHost, (host) => host.administer(choose, request))

/** Beside the store for the account that is named, else at a server with a key of it. */
export const forAccount = <InStore, AtServer>(
  { account, ...where }: Where & { readonly account: string | undefined },
  inStore: (account: string) => Effect.Effect<InStore, CommandFailed>,
  atServer: () => Effect.Effect<AtServer, CommandFailed>,
): Effect.Effect<InStore | AtServer, CommandFailed> =>
  account === undefined ? atServer() : Effect.zipRight(besideStore(where), inStore(account))

const asJson = (answer: unknown): string => `${printableJson(answer, 2)}\n`

/** Prints an answer: whole as JSON, or as people read it, with what is to be said beside it. */
export const show = <Answer>(
  answer: Answer,
  json: boolean,
  human: (answer: Answer) => string,
  beside: (answer: Answer) => string | null = () => null,
): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    if (json) return yield* print(asJson(answer))
    const shown = human(answer)
    if (shown !== "") yield* print(shown)
    const said = beside(answer)
    if (said !== null) yield* note(said)
  })

type Facts = Parameters<typeof factsOf>[0]

/** Prints the facts of one thing: whole as JSON, or a line for each. */
export const showFacts = <Answer>(
  answer: Answer,
  json: boolean,
  facts: (answer: Answer) => Facts,
  beside?: (answer: Answer) => string | null,
): Effect.Effect<void, CommandFailed> => show(answer, json, (each) => factsOf(facts(each)), beside)

/** Says what was done with something: whole as JSON, or a sentence beside the data. */
export const say = <Answer>(
  answer: Answer,
  json: boolean,
  sentence: (answer: Answer) => string,
): Effect.Effect<void, CommandFailed> => (json ? print(asJson(answer)) : note(sentence(answer)))

/** Says what was done: to people beside the data, to scripts as a line of JSON. */
export const sayDone = (
  answer: object,
  json: boolean,
  sentence: string,
): Effect.Effect<void, CommandFailed> => (json ? print(`${printableJson(answer)}\n`) : note(sentence))

interface Page<Row = unknown> {
  readonly data: ReadonlyArray<Row>
  readonly next_cursor: string | null
}

const MOST_ON_A_PAGE = 100

/** How much of a list is asked for. */
interface Asked {
  readonly limit: number
  readonly cursor: string | undefined
  readonly all: boolean
}

interface Place {
  readonly limit: number
  readonly cursor: string | undefined
}

/** The page of a list that is asked for, or with `--all` every page as one. */
export const pageOf = <Answer extends Page, Needs>(
  asked: Asked,
  ask: (place: Place) => Effect.Effect<Answer, CommandFailed, Needs>,
): Effect.Effect<Answer, CommandFailed, Needs> =>
  Effect.gen(function* () {
    if (!asked.all) return yield* ask({ limit: asked.limit, cursor: asked.cursor })
    if (asked.cursor !== undefined)
      return yield* usage("--all lists everything, and --cursor goes on with a page: give one of them.")
    let page = yield* ask({ limit: MOST_ON_A_PAGE, cursor: undefined })
    const data = [...page.data]
    while (page.next_cursor !== null) {
      page = yield* ask({ limit: MOST_ON_A_PAGE, cursor: page.next_cursor })
      for (const each of page.data) data.push(each)
    }
    return { ...page, data }
  })

/** Says that a list goes on, where people read it. */
export const andMore = ({ next_cursor }: Pick<Page, "next_cursor">): string | null =>
  next_cursor === null ? null : "There are more: --all lists them, --limit more of them."

/** What a list is narrowed by: what was given for each option. */
type Filters = Readonly<Record<`--${string}`, string | undefined>>

/** The options of a list that were given, with their values. */
export const narrowedBy = (filters: Filters): ReadonlyArray<string> =>
  Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${printable(value)}`],
  )

/** The same of a list that says in words that it is empty, and by which options nothing was found. */
const orNone =
  (none: string, filters: Filters = {}) =>
  (page: Page): string | null => {
    if (page.data.length > 0) return andMore(page)
    const given = narrowedBy(filters)
    return given.length === 0 ? none : `Nothing matches ${given.join(" and ")}.`
  }

/** Prints a list: a page of it or, with `--all`, all of it; as a table or as JSON. */
export const listed = <Row, Needs>(
  options: Asked & { readonly json: boolean },
  ask: (place: Place) => Effect.Effect<Page<Row>, CommandFailed, Needs>,
  columns: (rows: ReadonlyArray<Row>) => ReadonlyArray<Column<Row>>,
  none: string,
  filters: Filters = {},
): Effect.Effect<void, CommandFailed, Needs> =>
  Effect.flatMap(pageOf(options, ask), (page) =>
    show(page, options.json, ({ data }) => tableOf(columns(data), data), orNone(none, filters)),
  )

/** A day and a time, in UTC. */
export const moment = (time: string | null): string | null =>
  time === null ? null : time.slice(0, 16).replace("T", " ")
