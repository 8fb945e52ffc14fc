import type { WorkFailed } from "@earmark/service"
import { Effect } from "effect"
import { explained, rejected } from "../failures.js"
import { cutLines, halvesOf, type Line, tokensIn } from "../lines.js"
import type { TooMuch } from "./ChatEndpoint.js"

/** A transcript of any length shrinks to one part well before. */
const MOST_ROUNDS = 12
const FEWEST_TOKENS = 200

interface Condensing<A> {
  /** About how many tokens go into one question. */
  readonly tokens: number
  /** What the setting is called that chooses the model. */
  readonly modelSetting: string
  /** Fewer things out of some lines. `isLast`: they are all the lines there are. */
  readonly ask: (
    lines: ReadonlyArray<Line>,
    isLast: boolean,
  ) => Effect.Effect<ReadonlyArray<A>, WorkFailed | TooMuch>
  /** What was found, as a line for the next round. */
  readonly lineOf: (found: A) => Line
}

const tooSmall = (modelSetting: string): WorkFailed =>
  explained(
    rejected("Not even one line fits."),
    `The text model takes too little text at once; choose one with a larger context in ${modelSetting}.`,
  )

const endless = (): WorkFailed =>
  explained(rejected("The notes did not become fewer."), "The text model did not come to an end.")

const weightOf = (lines: ReadonlyArray<Line>): number =>
  lines.reduce((sum, { text }) => sum + tokensIn(text), 0)

/** Asks about parts, then about what was found in them, until one question covers everything. What is too much is asked about in halves. */
export const condense = <A>(
  all: ReadonlyArray<Line>,
  { tokens: budget, modelSetting, ask, lineOf }: Condensing<A>,
): Effect.Effect<ReadonlyArray<A>, WorkFailed> =>
  Effect.gen(function* () {
    let tokens = budget

    interface Found {
      readonly items: ReadonlyArray<A>
      readonly isWhole: boolean
    }

    const askAbout = (part: ReadonlyArray<Line>, isLast: boolean): Effect.Effect<Found, WorkFailed> =>
      ask(part, isLast).pipe(
        Effect.map((items): Found => ({ items, isWhole: true })),
        Effect.catchTag("TooMuch", () => {
          if (part.length < 2) return Effect.fail(tooSmall(modelSetting))
          // The rounds to come need not find it out again.
          tokens = Math.max(FEWEST_TOKENS, Math.min(tokens, Math.floor(budget / 2)))
          return Effect.map(
            Effect.forEach(halvesOf(part), (half) => askAbout(half, false)),
            (halves): Found => ({ items: halves.flatMap(({ items }) => items), isWhole: false }),
          )
        }),
      )

    let lines = all
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const parts = cutLines(lines, ({ text }) => text, { tokens })
      const isLast = parts.length === 1
      const found = yield* Effect.forEach(parts, (part) => askAbout(part, isLast), {
        concurrency: "unbounded",
      })
      const items = found.flatMap((each) => each.items)
      if (isLast && found.every(({ isWhole }) => isWhole)) return items
      const before = weightOf(lines)
      lines = items.map(lineOf)
      // A model that writes more than it reads would be asked more and more.
      if (weightOf(lines) >= before) break
    }
    return yield* endless()
  })
