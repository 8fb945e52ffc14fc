import { languageCodeOf } from "@earmark/core/text"

/** `en` of `en-US`, `EN_gb` and `English`. */
export const baseOf = (language: string): string =>
  (languageCodeOf(language.replace("_", "-")) ?? language).toLowerCase().split("-")[0] ?? language

export const knowsLanguage = (known: "any" | ReadonlyArray<string>, language: string): boolean =>
  known === "any" || known.includes(baseOf(language))
