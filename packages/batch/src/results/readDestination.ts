/** Where results go, from what people write: decided before anything is done, so that a mistake costs no work. */
import { basename, extname } from "node:path"
import { exportFormatNames, formatOfName } from "@earmark/core/captions"
import type { ExportFormat } from "@earmark/core/captions/formats"
import { suggestion } from "@earmark/core/text"
import { Effect } from "effect"
import { asInLists, type NameOption, refusedOption } from "../reading/Written.js"
import { isPattern } from "../sources/glob.js"
import { STANDARD_INPUT } from "../sources/named.js"
import type { Destination } from "./destination.js"
import { misnamed } from "./fileFormat.js"
import { isFolder, pathKind } from "./pathKind.js"

export interface WrittenDestination {
  /** A file, a folder, or `STANDARD_INPUT` for standard output; null when nobody said. */
  readonly output: string | null
  /** The formats that were asked for. */
  readonly formats: ReadonlyArray<ExportFormat>
  readonly sources: ReadonlyArray<string>
  /** There may be several results, whatever the sources are. */
  readonly isSeveral: boolean
  /** Standard output is for something else. */
  readonly isOutputTaken: boolean
}

/** The formats that were asked for, else what the name of the file says, else plain text. */
export const formatsFor = (
  asked: ReadonlyArray<ExportFormat>,
  output: string | null,
): ReadonlyArray<ExportFormat> =>
  asked.length > 0 ? asked : [(output === null ? undefined : formatOfName(output)) ?? "txt"]

/** Where one file would be, and no folder can be made of what is there. */
export const noFolder = (output: string, option: string, isTaken: boolean) =>
  isTaken
    ? `Several results need a folder, and ${option} ${output} is a file. Use another name, such as ${option} results/.`
    : `Several results need a folder, and ${option} ${output} names a file. Use a name that ends with /, such as ${option} ${basename(output, extname(output))}/.`

const noFormat = (output: string, option: string, isTaken: boolean): string => {
  const ending = extname(output)
  if (isTaken) return `The name ${output} does not show a format. Choose one with ${option}.`
  if (ending === "")
    return `The name ${output} does not show a format. Write ${output}.txt for a file, or ${output}/ for a folder.`
  const nearby = suggestion(ending.slice(1), exportFormatNames, (name) => `.${name}`)
  return `Unknown format ${ending}. The formats are ${exportFormatNames.join(", ")}.${nearby} End the name with one of them, or choose one with ${option}.`
}

export const readDestination = Effect.fnUntraced(function* (
  { output, formats, sources, isSeveral, isOutputTaken }: WrittenDestination,
  nameOption: NameOption = asInLists,
) {
  const option = nameOption("output")
  const refused = (message: string) => refusedOption("output", message)
  const several =
    isSeveral ||
    sources.length > 1 ||
    formats.length > 1 ||
    sources.some(isPattern) ||
    (yield* Effect.exists(sources, isFolder))
  const folder = (path: string | null): Destination => ({ type: "folder", path })

  if (output === STANDARD_INPUT && several)
    return yield* refused(`${option} - takes one source and one format: the results could not be told apart.`)
  const toOutput: Destination = { type: "output" }
  if (output === STANDARD_INPUT) return toOutput
  if (output === null) return several || isOutputTaken ? folder(null) : toOutput
  if (output === "")
    return yield* refused(`${option} is empty. Give a file, a folder that ends with /, or -.`)
  const found = yield* pathKind(output)
  if (/[/\\]$/.test(output) || found === "folder") return folder(output)
  const isTaken = found === "file"
  if (several) {
    // Whoever names a text file wants one file, and there will be more.
    return extname(output) !== "" || isTaken
      ? yield* refused(noFolder(output, option, isTaken))
      : folder(output)
  }
  const [asked] = formats
  const wrong = asked === undefined ? null : misnamed(output, asked, nameOption)
  if (wrong !== null) return yield* refused(wrong)
  if (asked === undefined && formatOfName(output) === undefined)
    return yield* refused(noFormat(output, nameOption("format"), isTaken))
  const file: Destination = { type: "file", path: output }
  return file
})
