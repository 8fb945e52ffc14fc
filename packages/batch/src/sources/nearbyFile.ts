import { readdir } from "node:fs/promises"
import { basename, dirname, extname, join } from "node:path"
import { suggestion } from "@earmark/core/text"
import { Effect } from "effect"

const MOST_NAMES = 5000

/** Of so short a name half the folder would be a slip. */
const LEAST_LETTERS = 4

const withoutDigits = (name: string): string => name.replace(/\d/g, "")

/** ` Did you mean talk.mp3?` where a file of almost that name is beside the one that is not there, or nothing. */
export const nearbyFile = Effect.fn("nearbyFile")(function* (path: string) {
  const name = basename(path)
  if (basename(name, extname(name)).length < LEAST_LETTERS) return ""
  const names = yield* Effect.tryPromise(() => readdir(dirname(path))).pipe(Effect.orElseSucceed(() => []))
  // The next number in a row is another thing, and no slip.
  const others = names.slice(0, MOST_NAMES).filter((each) => withoutDigits(each) !== withoutDigits(name))
  const folder = dirname(path)
  return suggestion(
    path,
    others.map((each) => join(folder, each)),
  )
})
