import { mask } from "@earmark/core/signing"
import { Cause, DateTime, HashMap, Layer, Logger, LogLevel } from "effect"
import type { Settings } from "../settings/Settings.js"

const LEVELS = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None,
} as const

const textOf = (message: unknown): string => (typeof message === "string" ? message : JSON.stringify(message))

/** One line for people, and the cause below it. */
const pretty = Logger.make<unknown, string>(({ annotations, cause, date, logLevel, message }) => {
  const time = DateTime.formatIso(DateTime.unsafeMake(date)).slice(11, 19)
  const parts = (Array.isArray(message) ? message : [message]).map(textOf)
  const notes = HashMap.toEntries(annotations).map(([name, value]) => `${name}=${textOf(value)}`)
  const line = [time, logLevel.label.padEnd(5), ...parts, ...notes].join(" ")
  return Cause.isEmpty(cause) ? line : `${line}\n${Cause.pretty(cause)}`
})

/** Logs go to standard error, without a secret in them. */
export const logging = ({ logFormat, logLevel }: Settings, isTerminal: boolean) => {
  const format = logFormat ?? (isTerminal ? "pretty" : "json")
  const lines = Logger.map(format === "pretty" ? pretty : Logger.jsonLogger, mask)
  return Layer.merge(
    Logger.replace(Logger.defaultLogger, Logger.withConsoleError(lines)),
    Logger.minimumLogLevel(LEVELS[logLevel]),
  )
}
