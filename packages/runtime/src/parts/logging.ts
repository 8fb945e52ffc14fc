import { mask } from "@earmark/core/signing"
import { Cause, DateTime, HashMap, Inspectable, Layer, Logger, LogLevel } from "effect"
import type { Settings } from "../settings/Settings.js"
import { causeText, failureText, kindOf } from "./failureText.js"

const LEVELS = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None,
} as const

/** As it goes into JSON. What cannot (a BigInt, or what holds one) says what it is, and does not cost the line. */
const tellable = (value: unknown): unknown => {
  try {
    Inspectable.stringifyCircular(value)
    return value
  } catch {
    return typeof value === "object" && value !== null ? kindOf(value) : String(value)
  }
}

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  return value instanceof Error ? failureText(value) : Inspectable.stringifyCircular(tellable(value))
}

/** A line of the log: its text, what was told beside it, and what went wrong. */
const partsOf = ({ message, cause }: Logger.Logger.Options<unknown>) => {
  const [first, ...rest]: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
  const failures = rest.filter((each) => each instanceof Error).map((each) => failureText(each))
  return {
    text: textOf(first),
    details: rest.filter((each) => !(each instanceof Error)).map(tellable),
    why: [...failures, ...(Cause.isEmpty(cause) ? [] : [causeText(cause)])].join("\n"),
  }
}

/** One line for people, and the cause below it. */
const pretty = Logger.make<unknown, string>((line) => {
  const { text, details, why } = partsOf(line)
  const time = DateTime.formatIso(DateTime.unsafeMake(line.date)).slice(11, 19)
  const notes = HashMap.toEntries(line.annotations).map(([name, value]) => `${name}=${textOf(value)}`)
  const shown = [time, line.logLevel.label.padEnd(5), text, ...details.map(textOf), ...notes].join(" ")
  return why === "" ? shown : `${shown}\n${why}`
})

/** One object for machines. Whatever was logged, its `message` is a text. */
const json = Logger.make<unknown, string>((line) => {
  const { text, details, why } = partsOf(line)
  const told = { ...line, message: "", cause: Cause.empty }
  const { message: _, cause: __, ...facts } = Logger.structuredLogger.log(told)
  return Inspectable.stringifyCircular({
    message: text,
    ...(details.length > 0 && { details }),
    ...(why !== "" && { cause: why }),
    ...facts,
  })
})

/** Logs go to standard error, without a secret in them. */
export const logging = ({ logFormat, logLevel }: Settings, isTerminal: boolean) => {
  const format = logFormat ?? (isTerminal ? "pretty" : "json")
  const lines = Logger.map(format === "pretty" ? pretty : json, mask)
  return Layer.merge(
    Logger.replace(Logger.defaultLogger, Logger.withConsoleError(lines)),
    Logger.minimumLogLevel(LEVELS[logLevel]),
  )
}
