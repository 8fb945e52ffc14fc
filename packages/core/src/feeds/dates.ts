import { zoneMinutes } from "./zones.js"

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
/** How the names of months begin in German, French, Spanish and Portuguese, where English differs; without accents. */
const OTHER_MONTHS: ReadonlyArray<string> = [
  "ene",
  "fev",
  "mrz",
  "avr abr",
  "mai",
  "juin",
  "juil",
  "aou ago",
  "set",
  "okt out",
  "nov",
  "dez dic",
]
const MONTH_NUMBERS = new Map(
  MONTHS.flatMap((name, month) =>
    [name, ...(OTHER_MONTHS[month] ?? "").split(" ")].map((start) => [start, month] as const),
  ),
)
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const LONGEST = 100

/** The time of day and what follows it: the zone. Words such as `at` may stand before the time. */
const TIME = String.raw`(?:[,\s]+(?:(?:at|a|as|um|-)\s+)?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d+))?)?)?(?!\d)(.*)`
const ORDINAL = "(?:st|nd|rd|th|er|o)?"
/** `Mon, 2 January 2006 15:04:05 -0700` and its relatives: the day before the month. */
const DAY_FIRST = new RegExp(
  String.raw`^(?:[^\d\s,.]+[,.]*\s*)?(\d{1,2})(?:\.\s*|${ORDINAL}[\s-]+)(?:de\s+)?([a-z]{3,10})\.?,?[\s-]+(?:de\s+)?(\d{4}|\d{2})${TIME}`,
  "s",
)
/** ISO 8601 with its liberties. */
const YEAR_FIRST = new RegExp(
  String.raw`^(?:[a-z]+,?\s*)?(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?${TIME.replace("[,", "[t")}`,
  "s",
)
/** `Sun Jan  4 16:29:06 2004`, `January 2, 2006`: the month before the day, the year before or after the time. */
const MONTH_FIRST = new RegExp(
  String.raw`^(?:[a-z]{3,9},?\s+)?([a-z]{3,9})\.?\s+(\d{1,2})${ORDINAL}(?:(?:,\s*|\s+)(\d{4}))?${TIME}`,
  "s",
)
const YEAR_AT_END = /^(.*?)\b(\d{4})$/s
const HALF_OF_DAY = /^([ap])\.?m\.?(?:\s+|$)/
/** Seconds since 1970 from 1973 on, or milliseconds. */
const UNIX_TIME = /^(\d{9,10})(?:\.(\d+)|(\d{3}))?$/
const ACCENTS = /\p{M}/gu

/**
 * The instant that a `pubDate` or one of its relatives means, in milliseconds since 1970; null when it means none.
 * No zone is UTC. Impossible dates are null, never rolled over. The zone of the machine plays no part.
 */
export const parseFeedDate = (text: string): number | null => {
  const written = text.trim()
  if (written.length > LONGEST) return null
  return plainDate(written) ?? freeDate(written.normalize("NFKD").replace(ACCENTS, "").toLowerCase())
}

const freeDate = (date: string) => dayFirst(date) ?? yearFirst(date) ?? monthFirst(date) ?? unixTime(date)

const unixTime = (text: string) => {
  const parts = UNIX_TIME.exec(text)
  if (parts === null) return null
  const [, seconds, fraction = "", milliseconds = fraction] = parts
  return Number(seconds) * 1000 + millisecondsOf(milliseconds)
}

const dayFirst = (text: string) => {
  const parts = DAY_FIRST.exec(text)
  if (parts === null) return null
  const [, day = "", month = "", year = "", hours, minutes, seconds, fraction, zone = ""] = parts
  return instant(fullYear(year), monthOf(month), Number(day), clock(hours, minutes, seconds, fraction, zone))
}

const yearFirst = (text: string) => {
  const parts = YEAR_FIRST.exec(text)
  if (parts === null) return null
  const [, year = "", month = "", day = "1", hours, minutes, seconds, fraction, zone = ""] = parts
  return instant(Number(year), Number(month) - 1, Number(day), clock(hours, minutes, seconds, fraction, zone))
}

const monthFirst = (text: string) => {
  const parts = MONTH_FIRST.exec(text)
  if (parts === null) return null
  const [, month = "", day = "", early, hours, minutes, seconds, fraction, rest = ""] = parts
  const atEnd = early === undefined ? YEAR_AT_END.exec(rest) : null
  const [, zone = rest, year = early ?? ""] = atEnd ?? []
  return instant(Number(year), monthOf(month), Number(day), clock(hours, minutes, seconds, fraction, zone))
}

/** Two digits: below 70 this century, else the last one. */
const fullYear = (digits: string) =>
  digits.length === 4 ? Number(digits) : Number(digits) + (Number(digits) < 70 ? 2000 : 1900)

/** `juin` and `juillet` differ in the fourth letter only. */
const monthOf = (name: string) =>
  MONTH_NUMBERS.get(name.slice(0, 4)) ?? MONTH_NUMBERS.get(name.slice(0, 3)) ?? -1

/** Of a fraction of a second; further digits are cut. */
const millisecondsOf = (fraction: string) => Number(fraction.slice(0, 3).padEnd(3, "0"))

/** Milliseconds from the midnight of UTC, may be negative or past the day; null when there is no such time. */
const clock = (hours = "0", minutes = "0", seconds = "0", fraction = "", after: string): number | null => {
  const zone = after.trim()
  const half = HALF_OF_DAY.exec(zone)
  const offset = zoneMinutes(half === null ? zone : zone.slice(half[0].length))
  if (offset === null) return null
  const hour = half === null ? Number(hours) : halfDayHour(Number(hours), half[1] ?? "a")
  const [minute, second] = [Number(minutes), Number(seconds)]
  const isMidnight = hour === 24 && minute === 0 && second === 0
  if ((hour > 23 && !isMidnight) || minute > 59 || second > 60) return null
  return ((hour * 60 + minute - offset) * 60 + second) * 1000 + millisecondsOf(fraction)
}

const halfDayHour = (hour: number, half: string) => (hour > 12 ? hour : (hour % 12) + (half === "p" ? 12 : 0))

const instant = (year: number, month: number, day: number, time: number | null): number | null => {
  const last = month === 1 && !isLeap(year) ? 28 : DAYS_IN_MONTH[month]
  // Years before 1000 are the zero values of programming languages, not dates.
  if (time === null || last === undefined || day < 1 || day > last || year < 1000) return null
  return Date.UTC(year, month, day) + time
}

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** `Thu, 01 Jan 2026 10:00:00 +0000` (or GMT) column by column: nearly every date of nearly every feed. */
const plainDate = (text: string): number | null => {
  if (text.length < 29 || text.charCodeAt(3) !== 44 || text.charCodeAt(4) !== 32) return null
  if (text.charCodeAt(19) !== 58 || text.charCodeAt(22) !== 58 || text.charCodeAt(25) !== 32) return null
  const day = twoDigits(text, 5)
  const month = PLAIN_MONTHS.get(text.slice(7, 12)) ?? -1
  const year = twoDigits(text, 12) * 100 + twoDigits(text, 14)
  const [hour, minute, second] = [twoDigits(text, 17), twoDigits(text, 20), twoDigits(text, 23)]
  const offset = plainOffset(text)
  const isPlain = day > 0 && day < 29 && month >= 0 && year > 1000 && text.charCodeAt(16) === 32
  // NaN fails every comparison, so a letter among the digits ends here too.
  if (!(isPlain && hour < 24 && minute < 60 && second < 60 && Math.abs(offset) < 1440)) return null
  return Date.UTC(year, month, day, hour, minute, second) - offset * 60_000
}

const PLAIN_MONTHS = new Map(
  MONTHS.map((name, month) => [` ${name.slice(0, 1).toUpperCase()}${name.slice(1)} `, month]),
)

const plainOffset = (text: string) => {
  if (text.length === 29) return text.endsWith("GMT") ? 0 : Number.NaN
  const sign = text.charCodeAt(26)
  if (text.length !== 31 || (sign !== 43 && sign !== 45)) return Number.NaN
  const minutes = twoDigits(text, 29)
  return minutes < 60 ? (sign === 45 ? -1 : 1) * (twoDigits(text, 27) * 60 + minutes) : Number.NaN
}

const twoDigits = (text: string, at: number) => {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}
