import { mask } from "@earmark/core/signing"
import { Cause, Effect, HashMap, Inspectable, Layer, Logger, LogLevel } from "effect"
import { printable } from "../output.js"
import type { Teller } from "./Teller.js"

const textOf = (message: unknown): string => Inspectable.toStringUnknown(message, 0)

const isSaid = (value: unknown) => value !== null && value !== undefined && value !== ""

/** `debug: ffprobe has ended (code 0)` */
const plain = Logger.make<unknown, string>(({ annotations, cause, logLevel, message }) => {
  const parts = (Array.isArray(message) ? message : [message]).map(textOf).join(": ")
  const fields = HashMap.toEntries(annotations)
    .filter(([, value]) => isSaid(value))
    .map(([name, value]) => `${name} ${textOf(value)}`)
  const more = fields.length === 0 ? "" : ` (${fields.join(", ")})`
  const why = Cause.isEmpty(cause) ? "" : `\n${Cause.pretty(cause)}`
  return mask(`${logLevel.label.toLowerCase()}: ${parts}${more}${why}`)
})

/** Every step of the work, in lines like those of the command, above what moves. */
export const plainLogs = ({ note }: Teller) =>
  Layer.merge(
    Logger.replace(
      Logger.defaultLogger,
      Logger.map(plain, (line) => Effect.runSync(note(line.split("\n").map(printable).join("\n")))),
    ),
    Logger.minimumLogLevel(LogLevel.Debug),
  )
