import { languageCodeOf } from "@earmark/core/text"
import type { Recognition } from "@earmark/service"

/** `en` of `en-US`, `EN_gb` and `English`. */
export const baseOf = (language: string): string =>
  (languageCodeOf(language.replace("_", "-")) ?? language).toLowerCase().split("-")[0] ?? language

/** What an engine has heard that knows one language only: that one, without any evidence. Null when it knows several. */
export const onlyLanguageOf = (known: "any" | ReadonlyArray<string>): Recognition["language"] => {
  const [only, ...others] = known === "any" ? [] : known
  return only === undefined || others.length > 0 ? null : { code: only, confidence: 0 }
}

export const knowsLanguage = (known: "any" | ReadonlyArray<string>, language: string): boolean =>
  known === "any" || known.includes(baseOf(language))
