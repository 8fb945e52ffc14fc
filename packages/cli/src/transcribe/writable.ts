/** Whether results can be written where they are to go: known before anything is heard. */
import { access, constants, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { Effect } from "effect"
import { notWritten } from "../output.js"

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

const firstFolder = async (place: string, isMade: boolean): Promise<string> => {
  try {
    const found = await stat(place)
    if (!found.isDirectory()) throw new Error("ENOTDIR")
    return place
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT"
    if (!isMade || !isMissing || dirname(place) === place) throw cause
    return firstFolder(dirname(place), isMade)
  }
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

const probe = async (path: string, isMade: boolean): Promise<void> => {
  if (await isThere(path)) await access(path, constants.W_OK)
  else await access(await firstFolder(dirname(resolve(path)), isMade), constants.W_OK | constants.X_OK)
}

/** Fails where a file cannot be written. `isMade`: folders that are missing will be made. */
export const checkWritable = (path: string, isMade: boolean) =>
  Effect.tryPromise({
    try: () => probe(path, isMade),
    catch: (cause) => notWritten(path, messageOf(cause)),
  })
