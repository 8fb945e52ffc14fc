/** Where a scan of a text stands. One object is reused for a whole file. */
export interface Cursor {
  at: number
}

/** What the readers answer for a time stamp that is none. */
export const NO_TIME = -1

/** Longest time any reader accepts: a million hours. Beyond it a number is a fault, not a time. */
export const MAX_TIME = 3_600_000_000_000

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"))
const THREE_DIGITS = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, "0"))

const twoDigits = (value: number): string => TWO_DIGITS[value] ?? String(value)
const threeDigits = (value: number): string => THREE_DIGITS[value] ?? String(value)

/** A time the writers can print: a whole number of milliseconds, never negative. */
export const printable = (milliseconds: number): number =>
  milliseconds > 0 ? Math.min(MAX_TIME, Math.round(milliseconds)) : 0

/**
 * Prints times as `00:12:03.450`; hours are always there and grow past two digits. Times that follow each other are
 * mostly of the same minute, so its digits are kept.
 */
export const stampPrinter = (separator: "," | "."): ((milliseconds: number) => string) => {
  const secondDigits = TWO_DIGITS.map((digits) => digits + separator)
  let minute = -1
  let minuteDigits = ""
  return (milliseconds) => {
    const time = printable(milliseconds)
    const minutes = Math.floor(time / 60_000)
    if (minutes !== minute) {
      minute = minutes
      minuteDigits = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:`
    }
    const rest = time - minutes * 60_000
    const seconds = (rest / 1000) | 0
    return minuteDigits + (secondDigits[seconds] ?? "") + threeDigits(rest - seconds * 1000)
  }
}

/** `0:12:03`: for people, rounded down to the second. */
export const clock = (milliseconds: number): string => {
  const seconds = Math.floor(printable(milliseconds) / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
}

/** `0:12:03.45`: centiseconds, as ASS wants them. */
export const centisecondStamp = (milliseconds: number): string => {
  const centiseconds = Math.round(printable(milliseconds) / 10)
  return `${clock(centiseconds * 10)}.${twoDigits(centiseconds % 100)}`
}

/** `12.345`: seconds without needless zeros, exact for whole milliseconds. */
export const seconds = (milliseconds: number): number => printable(milliseconds) / 1000

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const COLON = 58
const DOT = 46
const COMMA = 44

/** Zero only for a digit: any other code sets a bit above the fourth. */
const notDigit = (digit: number): number => (digit | (digit + 6)) & ~15

/** The usual `00:00:00.000` at one glance; `NO_TIME` for any other form. */
const readFixed = (text: string, at: number, separator: number): number => {
  if (
    at + 12 > text.length ||
    text.charCodeAt(at + 2) !== COLON ||
    text.charCodeAt(at + 5) !== COLON ||
    text.charCodeAt(at + 8) !== separator
  )
    return NO_TIME
  const hourTens = text.charCodeAt(at) - 48
  const hours = text.charCodeAt(at + 1) - 48
  const minuteTens = text.charCodeAt(at + 3) - 48
  const minutes = text.charCodeAt(at + 4) - 48
  const secondTens = text.charCodeAt(at + 6) - 48
  const seconds = text.charCodeAt(at + 7) - 48
  const tenths = text.charCodeAt(at + 9) - 48
  const hundredths = text.charCodeAt(at + 10) - 48
  const thousandths = text.charCodeAt(at + 11) - 48
  const odd =
    notDigit(hourTens) |
    notDigit(hours) |
    notDigit(minuteTens) |
    notDigit(minutes) |
    notDigit(secondTens) |
    notDigit(seconds) |
    notDigit(tenths) |
    notDigit(hundredths) |
    notDigit(thousandths)
  if (odd !== 0 || minuteTens > 5 || secondTens > 5) return NO_TIME
  if (at + 12 < text.length && isDigit(text.charCodeAt(at + 12))) return NO_TIME
  return (
    hourTens * 36_000_000 +
    hours * 3_600_000 +
    minuteTens * 600_000 +
    minutes * 60_000 +
    secondTens * 10_000 +
    seconds * 1000 +
    tenths * 100 +
    hundredths * 10 +
    thousandths
  )
}

const digitsFrom = (text: string, from: number): number => {
  let at = from
  while (isDigit(text.charCodeAt(at))) at++
  return at - from
}

/**
 * A time stamp as the WebVTT standard reads it: hours optional and of any length, minutes and seconds of two digits
 * up to 59, exactly three digits of fraction. Moves the cursor behind it, or answers `NO_TIME`.
 */
export const readVttStamp = (text: string, cursor: Cursor): number => {
  const fixed = readFixed(text, cursor.at, DOT)
  if (fixed !== NO_TIME) {
    cursor.at += 12
    return fixed
  }
  const length = digitsFrom(text, cursor.at)
  if (length === 0) return NO_TIME
  const first = Number(text.slice(cursor.at, cursor.at + length))
  let at = cursor.at + length
  const fields: Array<number> = []
  while (text.charCodeAt(at) === COLON && fields.length < 2) {
    if (digitsFrom(text, at + 1) !== 2) return NO_TIME
    fields.push(Number(text.slice(at + 1, at + 3)))
    at += 3
  }
  const [second, third] = fields
  const hasHours = third !== undefined
  if (second === undefined || (!hasHours && (length !== 2 || first > 59))) return NO_TIME
  if (text.charCodeAt(at) !== DOT || digitsFrom(text, at + 1) !== 3) return NO_TIME
  if (second > 59 || (hasHours && third > 59)) return NO_TIME
  const whole = hasHours ? (first * 60 + second) * 60 + third : first * 60 + second
  const time = whole * 1000 + Number(text.slice(at + 1, at + 4))
  if (time > MAX_TIME) return NO_TIME
  cursor.at = at + 4
  return time
}

/**
 * A time stamp as people write it: `1:02:03,4`, `02:03.45`, `2:03`. One to three fields, a fraction of any length after
 * a comma or a dot. Moves the cursor behind it, or answers `NO_TIME`.
 */
export const readLooseStamp = (text: string, cursor: Cursor): number => {
  const fixed = readFixed(text, cursor.at, text.charCodeAt(cursor.at + 8) === DOT ? DOT : COMMA)
  if (fixed !== NO_TIME) {
    cursor.at += 12
    return fixed
  }
  let at = cursor.at
  let whole = 0
  for (let field = 0; field < 3; field++) {
    const length = digitsFrom(text, at)
    if (length === 0) return NO_TIME
    whole = whole * 60 + Number(text.slice(at, at + length))
    at += length
    if (text.charCodeAt(at) !== COLON) {
      if (field === 0) return NO_TIME
      break
    }
    if (field < 2) at++
  }
  let thousandths = 0
  const separator = text.charCodeAt(at)
  if ((separator === DOT || separator === COMMA) && isDigit(text.charCodeAt(at + 1))) {
    const length = digitsFrom(text, at + 1)
    thousandths = Math.round(Number(`0.${text.slice(at + 1, at + 1 + Math.min(length, 9))}`) * 1000)
    at += 1 + length
  }
  const time = whole * 1000 + thousandths
  if (!(time <= MAX_TIME)) return NO_TIME
  cursor.at = at
  return time
}
