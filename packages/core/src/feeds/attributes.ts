import { APOSTROPHE, EQUALS, QUOTE, SLASH, SPACE } from "./scanning.js"

/** Walks the attributes of one tag, telling of each where its name and its value stand. */
export const eachAttribute = (
  text: string,
  from: number,
  to: number,
  visit: (nameFrom: number, nameTo: number, valueFrom: number, valueTo: number) => boolean,
): void => {
  let at = from
  while (at < to) {
    while (at < to && isBlankOrSlash(text.charCodeAt(at))) at++
    const nameFrom = at
    while (at < to && text.charCodeAt(at) !== EQUALS && !isBlankOrSlash(text.charCodeAt(at))) at++
    const nameTo = at
    while (at < to && text.charCodeAt(at) <= SPACE) at++
    if (at >= to || text.charCodeAt(at) !== EQUALS) continue
    at++
    while (at < to && text.charCodeAt(at) <= SPACE) at++
    const quote = text.charCodeAt(at)
    const isQuoted = quote === QUOTE || quote === APOSTROPHE
    const valueFrom = isQuoted ? at + 1 : at
    const valueTo = isQuoted ? closingQuote(text, valueFrom, to, quote) : nextBlank(text, valueFrom, to)
    if (visit(nameFrom, nameTo, valueFrom, valueTo)) return
    at = isQuoted ? valueTo + 1 : valueTo
  }
}

const isBlankOrSlash = (code: number) => code <= SPACE || code === SLASH

const closingQuote = (text: string, from: number, to: number, quote: number) => {
  const end = text.indexOf(quote === QUOTE ? '"' : "'", from)
  return end < 0 || end > to ? to : end
}

const nextBlank = (text: string, from: number, to: number) => {
  let at = from
  while (at < to && text.charCodeAt(at) > SPACE) at++
  return at
}

/** Whether the attribute at `from` is called `wanted`, in any case. */
export const isNamed = (text: string, from: number, to: number, wanted: string): boolean => {
  if (to - from !== wanted.length) return false
  if (text.startsWith(wanted, from)) return true
  const isAlike = (text.charCodeAt(from) | CASE) === (wanted.charCodeAt(0) | CASE)
  return isAlike && text.slice(from, to).toLowerCase() === wanted.toLowerCase()
}

/** The bit in which small and capital letters differ. */
const CASE = 32

const DECLARATION = /^xmlns(?:$|[:=\s])/i

/** The namespace declarations of a tag: prefix (empty for the default one) and address. */
export const readDeclarations = (
  attributes: string,
): ReadonlyArray<readonly [prefix: string, uri: string]> => {
  const declared: Array<readonly [string, string]> = []
  eachAttribute(attributes, 0, attributes.length, (nameFrom, nameTo, valueFrom, valueTo) => {
    if (DECLARATION.test(attributes.slice(nameFrom, nameFrom + 6))) {
      declared.push([attributes.slice(nameFrom + 6, nameTo), attributes.slice(valueFrom, valueTo)])
    }
    return false
  })
  return declared
}
