import { Effect } from "effect"
import type { Explain } from "../Problem.js"
import { SourceFailed } from "../SourceFailed.js"
import type { Facts, Workplace } from "../work/Workplace.js"
import { type Cost, costAt, type makeBudget, OVER_CAP } from "./budget.js"
import type { Task } from "./tasks.js"

export const overCap = (message: string) => new SourceFailed({ code: OVER_CAP, message })

interface Paid {
  readonly budget: ReturnType<typeof makeBudget>
  readonly workplace: Workplace
  readonly explain: Explain
}

/** Takes what the work costs from what the run may cost. What was taken for work that failed, or that nobody had to do, is given back. */
export const payFor = ({ budget, workplace, explain }: Paid, { options }: Pick<Task, "options">) => {
  let taken: Cost | null = null
  const giveBack = Effect.sync(() => {
    if (taken !== null) budget.giveBack(taken)
    taken = null
  })
  const allow = (seconds: number | null, isFinal: boolean) =>
    Effect.gen(function* () {
      if (!budget.isCapped || (seconds === null && !isFinal)) return
      yield* giveBack
      if (seconds === null) return yield* overCap(explain({ reason: "length_unknown" }))
      const cost = yield* costAt(workplace, seconds, options)
      const reason = budget.take(cost)
      if (reason !== null) return yield* overCap(explain(reason))
      taken = cost
    })
  const settle = ({ origin }: Facts) => (origin === "engine" ? Effect.void : giveBack)
  return { allow, giveBack, settle }
}
