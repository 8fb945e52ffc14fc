import { characterNamed, namesWithoutSemicolon } from "../../text/characterNames.js"
import { windows1252Character } from "../../text/windows1252.js"

const characterOf = (code: number): string => {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd"
  // Files that say `&#146;` want an apostrophe.
  return windows1252Character(code)
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
    const meant = characterNamed(name)
    if (meant !== undefined) return { meant, length: name.length + 1 }
  }
  const { bare, longestBare } = namesWithoutSemicolon()
  for (let length = Math.min(name.length, longestBare); length > 1; length--) {
    const prefix = name.slice(0, length)
    if (bare.has(prefix)) return { meant: characterNamed(prefix) ?? "", length }
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
