import { isKnownLanguage, languageCodeOf } from "@earmark/core/text"
import { Effect } from "effect"
import { refusedOption } from "./Written.js"

/** A language that there is: whether it can be heard is for the engine to say. */
export const readLanguage = Effect.fnUntraced(function* (given: string | undefined) {
  if (given === undefined) return undefined
  const code = languageCodeOf(given)
  if (code === null || !isKnownLanguage(code))
    return yield* refusedOption(
      "language",
      `Unknown language "${given}". Use a code such as en, de or pt-BR.`,
    )
  return code
})
