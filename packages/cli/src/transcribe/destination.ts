import { stat } from "node:fs/promises"
import { basename, extname } from "node:path"
import { type Destination, isPattern } from "@earmark/batch"
import type { ExportFormat } from "@earmark/core/captions"
import { suggestion } from "@earmark/core/text"
import { Effect, Either } from "effect"
import { isOpml } from "../feed/opml.js"
import { FORMATS } from "../grammar/formats.js"
import { STANDARD_INPUT } from "../input.js"
import { formatOf, misnamed, notForTerminal } from "./fileFormat.js"
import type { TranscribeRequest } from "./TranscribeRequest.js"

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

const nearby = (ending: string): string => suggestion(ending.slice(1), FORMATS, (name) => `.${name}`)

/** Where one file would be, and no folder can be made of what is there. */
const noFolder = (output: string, isTaken: boolean) =>
  isTaken
    ? `Several results need a folder, and -o ${output} is a file. Use another name, such as -o results/.`
    : `Several results need a folder, and -o ${output} names a file. Use a name that ends with /, such as -o ${basename(output, extname(output))}/.`

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

  if (request.again !== null) return right(request.again.destination)
  if (output === STANDARD_INPUT || (output === null && !several && !json)) {
    if (several)
      return Either.left("-o - takes one source and one format: the results could not be told apart.")
    if (json)
      return Either.left("--json writes to standard output itself: give -o FILE or -o DIR/ for the results.")
    const refusal = wanted[0] === undefined ? null : notForTerminal(wanted[0])
    return refusal === null ? right({ type: "output" }) : Either.left(refusal)
  }
  if (output === null) return right({ type: "folder", path: null })
  if (output === "") return Either.left("-o is empty. Give a file, a folder that ends with /, or -.")
  if (/[/\\]$/.test(output) || (yield* isFolder(output))) return right({ type: "folder", path: output })
  return namedDestination(output, several, asked[0], yield* isThere(output))
})
