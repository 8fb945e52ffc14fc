/** Two-letter codes whose English names engines and files write out. */
const CODES =
  "af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha he hi hr ht hu hy id is it ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh"

/** Names that are no code's own name. */
const OTHER_NAMES: ReadonlyArray<readonly [string, string]> = [
  ["castilian", "es"],
  ["flemish", "nl"],
  ["haitian", "ht"],
  ["mandarin", "zh"],
  ["moldavian", "ro"],
  ["pushto", "ps"],
  ["sinhalese", "si"],
  ["valencian", "ca"],
]

const CODE = /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,4}$/i

let codesByName: ReadonlyMap<string, string> | undefined

let names: Intl.DisplayNames | undefined

/** The name of a well-formed code in English: `German` for `de`; undefined for a code without one. */
export const englishNameOf = (code: string): string | undefined => {
  // Made on first use: it takes longer than most commands take to start.
  names ??= new Intl.DisplayNames("en", { type: "language", fallback: "none" })
  return names.of(code)
}

const nameOf = (code: string): string => (englishNameOf(code) ?? code).toLowerCase()

const byName = (): ReadonlyMap<string, string> =>
  new Map([
    ...CODES.split(" ").map((code): readonly [string, string] => [nameOf(code), code]),
    ...OTHER_NAMES,
  ])

/** The language code that a text is or names: `en` for "en", "English" and "ENGLISH"; null for anything else. */
export const languageCodeOf = (text: string): string | null => {
  const trimmed = text.trim()
  if (CODE.test(trimmed)) return trimmed
  codesByName ??= byName()
  return codesByName.get(trimmed.toLowerCase()) ?? null
}

/** Whether a well-formed code can be that of a language. All of two letters have a name, so `xx` is none; not all of three letters do. */
export const isKnownLanguage = (code: string): boolean => {
  const base = code.split("-", 1).join("")
  return base.length > 2 || englishNameOf(base) !== undefined
}

/** The English name of a language, in lower case: `english` for "en" and "en-US". A code without a name is its own. */
export const languageNameOf = (code: string): string => {
  const base = code.split("-", 1).join("").toLowerCase()
  return CODE.test(base) ? nameOf(base) : base
}
