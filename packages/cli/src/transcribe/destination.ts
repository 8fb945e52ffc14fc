import { stat } from "node:fs/promises"
import { basename, dirname, extname, join } from "node:path"
import { type ExportFormat, exportFormats } from "@earmark/core/captions"
import { Effect, Either, Struct } from "effect"
import { STANDARD_INPUT } from "../input.js"
import type { Place } from "./places.js"
import { nameOfAddress, slugOf } from "./places.js"
import type { Item } from "./sources.js"
import { stemOf } from "./sources.js"
import type { TranscribeRequest } from "./TranscribeRequest.js"

/** Where the results of a run go. */
export type Destination =
  | { readonly type: "output" }
  | { readonly type: "file"; readonly path: string }
  /** Null: beside each file, and here for what is none. */
  | { readonly type: "folder"; readonly path: string | null }

const formats = Struct.keys(exportFormats)

const formatOf = (path: string): ExportFormat | undefined =>
  formats.find((format) => path.toLowerCase().endsWith(`.${format}`)) ??
  formats.find((format) => path.toLowerCase().endsWith(exportFormats[format].extension))

/** What was asked for, else what the name of the file says, else plain text. */
export const formatsOf = ({ formats: asked, output }: TranscribeRequest): ReadonlyArray<ExportFormat> => {
  if (asked.length > 0) return asked
  return [(output === null ? undefined : formatOf(output)) ?? "txt"]
}

const isFolder = (path: string) =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map((found) => found.isDirectory()),
    Effect.orElseSucceed(() => false),
  )

/** Decides from the command line alone, so that a mistake in it costs no work. */
export const decideDestination = Effect.fnUntraced(function* (request: TranscribeRequest) {
  const { output, json, sources, watch } = request
  const wanted = formatsOf(request)
  if (watch !== null && !(yield* isFolder(watch)))
    return Either.left(`${watch} is no folder. Make it first: --watch waits for what is put into it.`)
  const namesFolder = yield* Effect.exists(sources, isFolder)
  const several = sources.length > 1 || namesFolder || watch !== null || wanted.length > 1
  const right = (destination: Destination): Either.Either<Destination, string> => Either.right(destination)

  if (output === STANDARD_INPUT || (output === null && !several && !json)) {
    if (several)
      return Either.left("-o - takes one source and one format: the results could not be told apart.")
    if (json)
      return Either.left("--json writes to standard output itself: give -o FILE or -o DIR/ for the results.")
    return wanted[0] === "docx" && process.stdout.isTTY
      ? Either.left("A docx file is not for a terminal. Add -o FILE.")
      : right({ type: "output" })
  }
  if (output === null) return right({ type: "folder", path: null })
  if (output === "") return Either.left("-o is empty. Give a file, a folder that ends with /, or -.")
  if (output.endsWith("/") || (yield* isFolder(output))) return right({ type: "folder", path: output })
  if (!several) return right({ type: "file", path: output })
  return Either.left(
    `There may be several results, and ${output} is no folder. Write ${output}/ and it is made.`,
  )
})

/** The name of a result when the one before belongs to something else. */
const numbered = (stem: string) => (attempt: number) => (attempt === 0 ? stem : `${stem}-${attempt + 1}`)

/** Beside a file first its name without the ending, then with it: `talk.mp3` and `talk.wav` are two recordings. */
const besideFile = (path: string) => (attempt: number) => {
  if (attempt === 0) return stemOf(path)
  return attempt === 1 && extname(path) !== "" ? basename(path) : `${basename(path)}-${attempt}`
}

/** The place of the results of one source in a folder. */
export const placeOf = (item: Item, title: string | null, folder: string | null): Place => {
  if (item.type === "file") {
    const place = folder === null ? dirname(item.path) : join(folder, item.below)
    return { folder: place, stem: besideFile(item.path), isOwn: true }
  }
  const named = slugOf(title ?? "") || (item.type === "link" ? nameOfAddress(item.name) : "standard-input")
  return { folder: folder ?? ".", stem: numbered(named), isOwn: false }
}
