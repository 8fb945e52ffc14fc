import type { Draft } from "@earmark/core/questions"
import { Context, type Effect } from "effect"
import type { WorkFailed } from "./Speech.js"

/** A line of a transcript as a model is shown it. */
export interface ShownLine {
  readonly line: number
  readonly speaker: string | null
  readonly text: string
}

interface AnswererShape {
  /** Names who answers. */
  readonly id: string
  /**
   * What the lines say to a question, with the words that say it, in the language of the question. Nobody trusts it: every quote is looked
   * for in its line afterwards. Null where nobody answers: then the best passages do.
   */
  readonly answer:
    | ((question: string, lines: ReadonlyArray<ShownLine>) => Effect.Effect<Draft, WorkFailed>)
    | null
}

/** Answers questions about lines of transcripts, where a language model is set up. */
export class Answerer extends Context.Reference<Answerer>()("@earmark/service/Answerer", {
  defaultValue: (): AnswererShape => ({ id: "none", answer: null }),
}) {}
