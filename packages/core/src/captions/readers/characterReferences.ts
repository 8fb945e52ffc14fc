import { namedCharacters, namesWithoutSemicolon } from "./namedCharacters.js"

/** What nearly every file uses; the whole table is only unpacked for the others. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["nbsp", "\u00a0"],
])

const unpack = () => {
  const withSemicolon = new Map<string, string>()
  for (const entry of namedCharacters.trim().split(/\s+/)) {
    const [name = "", points = ""] = entry.split("=")
    const codes = points.split("+").map((point) => Number.parseInt(point, 16))
    withSemicolon.set(name, String.fromCodePoint(...codes))
  }
  const bare = new Set(namesWithoutSemicolon.trim().split(/\s+/))
  const longestBare = Math.max(...[...bare].map((name) => name.length))
  return { withSemicolon, bare, longestBare }
}

let unpacked: ReturnType<typeof unpack> | undefined

const table = () => {
  unpacked ??= unpack()
  return unpacked
}

/** Numbers 128 to 159 mean what they mean in windows-1252: files that say `&#146;` want an apostrophe. */
const WINDOWS_1252 = [
  0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,
  0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
  0x0153, 0x9d, 0x017e, 0x0178,
]

/** The character that a byte, or a number that was meant as one, stands for in windows-1252. */
export const windows1252 = (code: number): string => String.fromCodePoint(WINDOWS_1252[code - 128] ?? code)

const characterOf = (code: number): string => {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd"
  return windows1252(code)
}

const NUMERIC = /#(?:[xX]([0-9a-fA-F]+)|([0-9]+));?/y
const NAME = /[0-9A-Za-z]{1,32}/y

/** The characters meant by what follows `&` at `at`, and how much of the text it takes; null when it is just an `&`. */
const referenceAt = (
  text: string,
  at: number,
): { readonly meant: string; readonly length: number } | null => {
  NUMERIC.lastIndex = at
  const numeric = NUMERIC.exec(text)
  if (numeric !== null) {
    const [whole, hexadecimal, decimal = ""] = numeric
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return { meant: characterOf(code), length: whole.length }
  }
  NAME.lastIndex = at
  const name = NAME.exec(text)?.[0]
  if (name === undefined) return null
  if (text[at + name.length] === ";") {
    const meant = COMMON.get(name) ?? table().withSemicolon.get(name)
    if (meant !== undefined) return { meant, length: name.length + 1 }
  }
  const { bare, longestBare, withSemicolon } = table()
  for (let length = Math.min(name.length, longestBare); length > 1; length--) {
    const prefix = name.slice(0, length)
    if (bare.has(prefix)) return { meant: withSemicolon.get(prefix) ?? "", length }
  }
  return null
}

/** Text with every HTML character reference replaced by what it means, as a browser does it outside attributes. */
export const decodeReferences = (text: string): string => {
  let ampersand = text.indexOf("&")
  if (ampersand < 0) return text
  let decoded = ""
  let copied = 0
  while (ampersand >= 0) {
    const reference = referenceAt(text, ampersand + 1)
    if (reference !== null) {
      decoded += text.slice(copied, ampersand) + reference.meant
      copied = ampersand + 1 + reference.length
    }
    ampersand = text.indexOf("&", reference === null ? ampersand + 1 : copied)
  }
  return decoded + text.slice(copied)
}
