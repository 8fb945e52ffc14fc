/** The last run in a folder that did not come to its end: so that `--resume` alone goes on with it. */
import { writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { hashOf, makeFolders, readRecord, removeRecord, writeRecord } from "@earmark/batch"
import { stateFolder } from "@earmark/runtime/user"
import { Effect, Schema } from "effect"
import { isResume } from "../resume.js"

const LastRun = Schema.Struct({
  /** The words of its command line. */
  words: Schema.Array(Schema.String),
})

const placeOf = Effect.map(stateFolder, (state) => join(state, "runs", hashOf(process.cwd())))

const forgetLastRun = Effect.gen(function* () {
  const place = yield* placeOf
  yield* removeRecord(`${place}.json`)
  yield* removeRecord(`${place}.list`)
})

/** Keeps the words of a run, and answers what is done when it has come to its end. */
export const keepLastRun = Effect.fnUntraced(function* (words: ReadonlyArray<string>, isOnly: boolean) {
  // A run that goes on with another one is that one.
  if (isResume(words)) return forgetLastRun
  const place = `${yield* placeOf}.json`
  const before = isOnly ? yield* readRecord(place, LastRun) : null
  yield* writeRecord(place, { words })
  // A source in between is not the end of a run that was stopped before.
  const isOther = before !== null && JSON.stringify(before.words) !== JSON.stringify(words)
  return isOther ? writeRecord(place, before) : forgetLastRun
})

/** A list that came through a pipe cannot be asked for again. */
export const keepList = Effect.fnUntraced(function* (text: string) {
  const path = `${yield* placeOf}.list`
  const keep = Effect.tryPromise(async () => {
    await makeFolders(dirname(path), 0o700)
    await writeFile(path, text, { mode: 0o600 })
  })
  yield* Effect.ignore(keep)
})

/** The words of the last run in this folder, with its list in place of the pipe; null when there is none to go on with. */
export const lastRun = Effect.gen(function* () {
  const place = yield* placeOf
  const record = yield* readRecord(`${place}.json`, LastRun)
  if (record === null) return null
  return record.words.map((word, at) => {
    if (word === "--from=-") return `--from=${place}.list`
    return record.words[at - 1] === "--from" && word === "-" ? `${place}.list` : word
  })
})
