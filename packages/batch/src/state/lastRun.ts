/** The last run in a folder that did not come to its end, so that it can be gone on with by its words alone. */
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { hashOf, readRecord, removeRecord, writeRecord, writeWhole } from "./stateFiles.js"

const LastRun = Schema.Struct({
  /** What it was asked with, such as the words of a command line. */
  words: Schema.Array(Schema.String),
})

/** The record of the folder in which a host runs, among those of a user. */
export const lastRunIn = (state: string, folder: string) => {
  const place = join(state, "runs", hashOf(folder))
  const record = `${place}.json`
  const list = `${place}.list`
  const forget = Effect.zipRight(removeRecord(record), removeRecord(list))
  return {
    /** Where a list is kept that came through a pipe, and cannot be asked for again. */
    list,
    keepList: (text: string) => Effect.ignore(Effect.tryPromise(() => writeWhole(list, text))),
    /** The words of the run; null when there is none to go on with. */
    words: Effect.map(readRecord(record, LastRun), (found) => found?.words ?? null),
    forget,
    /** Keeps the words of a run, and answers what is done when it has come to its end; `isOnly`: it has one source. */
    keep: Effect.fnUntraced(function* (words: ReadonlyArray<string>, isOnly: boolean) {
      const before = isOnly ? yield* readRecord(record, LastRun) : null
      yield* writeRecord(record, { words })
      // A source in between is not the end of a run that was stopped before.
      const isOther = before !== null && JSON.stringify(before.words) !== JSON.stringify(words)
      return isOther ? Effect.asVoid(writeRecord(record, before)) : forget
    }),
  }
}
