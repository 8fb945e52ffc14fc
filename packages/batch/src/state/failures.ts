/** Media in which nothing can be heard: known by what they are, so that a folder is not tried in vain each time. */
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { SourceFailed } from "../SourceFailed.js"
import type { Origin } from "./made.js"
import { hashOf, readRecord, removeRecord, writeRecord } from "./stateFiles.js"

/** The same file fails so each time. */
const HOPELESS = ["unsupported_media", "empty_media", "no_speech"]

const Record = Schema.Struct({ asked: Schema.String, code: Schema.String, message: Schema.String })

/** `server`: the address of the one that does the work; null for this machine. What failed at one place may go well at another. */
export const rememberFailures = (folder: string, server: string | null) => {
  const fileOf = ({ source }: Origin) => join(folder, `${hashOf(JSON.stringify([server, source]))}.json`)

  /** How the same source, unchanged and with the same options, failed here before. */
  const find = (origin: Origin): Effect.Effect<SourceFailed | null> =>
    Effect.map(readRecord(fileOf(origin), Record), (record) =>
      record === null || record.asked !== origin.asked
        ? null
        : new SourceFailed({ code: record.code, message: record.message }),
    )

  const remember = (origin: Origin, { code, message }: SourceFailed): Effect.Effect<void> =>
    HOPELESS.includes(code)
      ? Effect.asVoid(writeRecord(fileOf(origin), { asked: origin.asked, code, message }))
      : Effect.void

  const forget = (origin: Origin): Effect.Effect<void> => removeRecord(fileOf(origin))

  return { find, remember, forget }
}
