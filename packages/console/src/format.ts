/** Numbers, times and amounts as people read them. */
import { onUse } from "@earmark/core/onUse"
import { LANGUAGES } from "./languages.js"
import { grouped, plural } from "./words/plural.js"

export { grouped as numberOf }

// The browser's own formats take 20 to 30 milliseconds each to make, before a page shows something.
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")
const languages = onUse(() => new Intl.DisplayNames("en", { type: "language" }))

const two = (value: number): string => String(value).padStart(2, "0")

const dateIn = (at: Date): string => `${MONTHS[at.getMonth()]} ${at.getDate()}, ${at.getFullYear()}`

/** Nov 9, 2026: where the reader is. */
export const dateOf = (iso: string): string => dateIn(new Date(iso))

/** Nov 9, 2026, 3:05:07 PM: where the reader is. */
export const momentOf = (iso: string): string => {
  const at = new Date(iso)
  const hours = at.getHours()
  return `${dateIn(at)}, ${hours % 12 || 12}:${two(at.getMinutes())}:${two(at.getSeconds())} ${hours < 12 ? "AM" : "PM"}`
}

/** Nov 9: a day of the server's count, which is in UTC. */
export const dayOf = (iso: string): string => {
  const at = new Date(iso)
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}`
}

/** What people call an order by: it begins like all others, and ends like none. */
export const orderOf = (id: string): string => id.slice(-8).toUpperCase()

/** An amount in the smallest unit of its currency, such as €12.00. */
export const moneyOf = ({
  amount,
  currency,
}: {
  readonly amount: number
  readonly currency: string
}): string => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** Less than whole is never shown as whole. */
export const percentOf = (share: number): string => `${Math.floor(share * 100)}%`

const STEPS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const

/** How long ago, or how far off; a date after a week. */
export const agoOf = (iso: string, now = Date.now()): string => {
  const seconds = (new Date(iso).getTime() - now) / 1000
  if (Math.abs(seconds) > 7 * 86_400) return dateOf(iso)
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) < length) continue
    const count = Math.round(Math.abs(seconds) / length)
    if (unit === "day" && count === 1) return seconds < 0 ? "yesterday" : "tomorrow"
    const distance = plural(count, unit, `${unit}s`)
    return seconds < 0 ? `${distance} ago` : `in ${distance}`
  }
  return "just now"
}

/** Seconds as 4:05 or 1:04:05: the moment that has begun. */
export const clockOf = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const minutes = Math.floor(whole / 60) % 60
  return whole < 3600
    ? `${minutes}:${two(whole % 60)}`
    : `${Math.floor(whole / 3600)}:${two(minutes)}:${two(whole % 60)}`
}

/** A moment with the tenth of a second that has begun, as 4:05.3. */
export const preciseOf = (seconds: number): string => {
  // Times are in milliseconds.
  const tenths = Math.floor(Math.round(seconds * 1000) / 100)
  return `${clockOf(Math.floor(tenths / 10))}.${tenths % 10}`
}

const UNITS = ["B", "kB", "MB", "GB"] as const

export const bytesOf = (bytes: number): string => {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${grouped(Math.round(value * 10) / 10)} ${UNITS[unit]}`
}

/** The name of a language. Those of the table are there at once: a browser takes its time for the first of its own. */
export const languageOf = (code: string): string => {
  const known = LANGUAGES.get(code)
  if (known !== undefined) return known
  try {
    return languages().of(code) ?? code
  } catch {
    return code
  }
}
