import { MAX_TIME, NO_TIME } from "../timestamps.js"

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** Text of a label or name; numbers count, since some providers number their speakers. */
export const labelOf = (value: unknown): string | null => {
  if (typeof value === "number") return `Speaker ${value + 1}`
  return textOf(value).replace(/\s+/g, " ").trim() || null
}

/** A time in the given unit as whole milliseconds, or `NO_TIME`. */
export const timeOf = (value: unknown, unit: "seconds" | "milliseconds"): number => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  if (typeof number !== "number") return NO_TIME
  const time = Math.round(unit === "seconds" ? number * 1000 : number)
  return time >= 0 && time <= MAX_TIME ? time : NO_TIME
}

export const confidenceOf = (value: unknown): number | null =>
  typeof value === "number" && value >= 0 && value <= 1 ? value : null
