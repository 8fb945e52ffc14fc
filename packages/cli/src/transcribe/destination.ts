import { stat } from "node:fs/promises"
import { basename, dirname, extname, join } from "node:path"
import type { ExportFormat } from "@earmark/core/captions"
import { nearestName, slugOf } from "@earmark/core/text"
import { Effect, Either } from "effect"
import { isOpml } from "../feed/opml.js"
import { FORMATS } from "../grammar/formats.js"
import { STANDARD_INPUT } from "../input.js"
import { formatOf, misnamed } from "./fileFormat.js"
import { isPattern } from "./glob.js"
import type { Target } from "./made.js"
import { foldersOfShow, named, type Template, templateOf } from "./naming.js"
import type { Place } from "./places.js"
import { nameOfAddress } from "./places.js"
import type { Item } from "./sources.js"
import { stemOf } from "./sources.js"
import type { TranscribeRequest } from "./TranscribeRequest.js"
import type { Found } from "./Workplace.js"

/** Where the results of a run go. */
export type Destination =
  | { readonly type: "output" }
  | { readonly type: "file"; readonly path: string }
  /** One by one; none: only the library keeps it. */
  | { readonly type: "places"; readonly targets: ReadonlyArray<Target> }
  /** Null: beside each file, and here for what is none. */
  | { readonly type: "folder"; readonly path: string | null }

/** What was asked for, else what the name of the file says, else plain text. */
export const formatsOf = (
  asked: ReadonlyArray<ExportFormat>,
  output: string | null,
): ReadonlyArray<ExportFormat> => {
  if (asked.length > 0) return asked
  return [(output === null ? undefined : formatOf(output)) ?? "txt"]
}

const isFolder = (path: string) =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map((found) => found.isDirectory()),
    Effect.orElseSucceed(() => false),
  )

const isThere = (path: string) =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false),
  )

const nearby = (ending: string): string => {
  const near = nearestName(ending.slice(1), FORMATS)
  return near === undefined ? "" : ` Did you mean .${near}?`
}

/** Where one file would be, and no folder can be made of what is there. */
const noFolder = (output: string, isTaken: boolean) =>
  `Several results need a folder${isTaken ? `, and ${output} is not one. Use another name.` : `. Use -o ${output}/ to create one.`}`

const noFormat = (output: string, isTaken: boolean): string => {
  const ending = extname(output)
  if (isTaken) return `The name ${output} does not show a format. Choose one with --format.`
  return ending === ""
    ? `The name ${output} does not show a format. Write ${output}.txt for a file, or ${output}/ for a folder.`
    : `Unknown format ${ending}. The formats are ${FORMATS.join(", ")}.${nearby(ending)} End the name with one of them, or choose one with --format.`
}

/** `-o` with a name that is no folder yet. */
const namedDestination = (
  output: string,
  several: boolean,
  asked: ExportFormat | undefined,
  isTaken: boolean,
): Either.Either<Destination, string> => {
  if (several) {
    // Whoever names a text file wants one file, and there will be more.
    return extname(output) !== "" || isTaken
      ? Either.left(noFolder(output, isTaken))
      : Either.right({ type: "folder", path: output })
  }
  const wrong = asked === undefined ? null : misnamed(output, asked)
  if (wrong !== null) return Either.left(wrong)
  return asked !== undefined || formatOf(output) !== undefined
    ? Either.right({ type: "file", path: output })
    : Either.left(noFormat(output, isTaken))
}

/** Decides from the command line alone, so that a mistake in it costs no work. */
export const decideDestination = Effect.fnUntraced(function* (
  request: TranscribeRequest,
  asked: ReadonlyArray<ExportFormat>,
) {
  const { output, json, sources, watch } = request
  const wanted = formatsOf(asked, output)
  if (watch !== null && isOpml(watch))
    return Either.left(`${watch} is a list of feeds, not a folder. Use: earmark feed watch ${watch}`)
  if (watch !== null && !(yield* isFolder(watch)))
    return Either.left(`Cannot watch ${watch}: it is not a folder. Create it first.`)
  const namesFolder = yield* Effect.exists(sources, isFolder)
  const named = [watch, request.from, request.episodes, request.feedWatch, request.raw.name]
  const several =
    sources.length > 1 ||
    namesFolder ||
    sources.some(isPattern) ||
    named.some((one) => one !== null && one !== undefined) ||
    wanted.length > 1
  const right = (destination: Destination): Either.Either<Destination, string> => Either.right(destination)

  if (request.places !== null) return right({ type: "places", targets: request.places })
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
  if (/[/\\]$/.test(output) || (yield* isFolder(output))) return right({ type: "folder", path: output })
  return namedDestination(output, several, asked[0], yield* isThere(output))
})

/** The name of a result when the one before belongs to something else. */
const numbered = (stem: string) => (attempt: number) => (attempt === 0 ? stem : `${stem}-${attempt + 1}`)

/** Beside a file first its name without the ending, then with it: `talk.mp3` and `talk.wav` are two recordings. */
const besideFile = (path: string) => (attempt: number) => {
  if (attempt === 0) return stemOf(path)
  return attempt === 1 && extname(path) !== "" ? basename(path) : `${basename(path)}-${attempt}`
}

/** A folder for each podcast, and the day before each title. */
const OF_WHOLE_FEEDS: Template = Effect.runSync(templateOf("{show}/{date} {title}"))

const nameOf = (item: Item): string => {
  if (item.type === "file") return stemOf(item.path)
  return item.type === "link" ? nameOfAddress(item.name) : "standard-input"
}

const fieldsOf = (
  item: Item,
  found: Pick<Found, "title" | "show" | "publishedAt" | "guid">,
  number: number,
) => {
  const name = nameOf(item)
  const show = item.type === "file" ? basename(dirname(join(process.cwd(), item.path))) : "podcast"
  // A file has the name that it has, ending or not.
  const title = item.type === "file" ? name : (found.title ?? name)
  return {
    name: title,
    title,
    show: found.show ?? show,
    time: found.publishedAt,
    guid: found.guid ?? name,
    number,
  }
}

/** The place of the results of one source in a folder. */
export const placeOf = (
  item: Item,
  found: Pick<Found, "title" | "show" | "publishedAt" | "guid">,
  folder: string | null,
  template: Template | null,
  number: number,
): Place => {
  const pattern = template ?? (item.type === "episode" ? OF_WHOLE_FEEDS : null)
  if (pattern !== null) {
    const names = named(pattern, fieldsOf(item, found, number))
    const stem = names.at(-1) ?? "untitled"
    const base = folder ?? (item.type === "file" ? dirname(item.path) : ".")
    return {
      folder: join(base, ...names.slice(0, -1)),
      stem: (attempt) => (attempt === 0 ? stem : `${stem} ${attempt + 1}`),
      isOwn: false,
    }
  }
  if (item.type === "file") {
    const place = folder === null ? dirname(item.path) : join(folder, item.below)
    return { folder: place, stem: besideFile(item.path), isOwn: true }
  }
  return { folder: folder ?? ".", stem: numbered(slugOf(found.title ?? "") || nameOf(item)), isOwn: false }
}

/** The folder that all results of a show have in common. */
export const folderOfShow = (
  item: Item,
  found: Pick<Found, "title" | "show" | "publishedAt" | "guid">,
  folder: string | null,
  template: Template | null,
): string => {
  const pattern = template ?? OF_WHOLE_FEEDS
  return join(folder ?? ".", ...named(pattern, fieldsOf(item, found, 1)).slice(0, foldersOfShow(pattern)))
}
