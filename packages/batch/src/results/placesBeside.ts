import { basename, dirname, extname, join, resolve } from "node:path"
import { type ExportFormat, exportFormats } from "@earmark/core/captions/formats"
import { Effect } from "effect"
import { BatchRefused } from "../BatchRefused.js"
import { asInLists, type NameOption, refusedOption } from "../reading/Written.js"
import { makeFolders } from "./makeFolders.js"
import { isThere } from "./pathKind.js"
import { noFolder } from "./readDestination.js"

/**
 * Where several files go in another format: each under its own name into a folder, which is made, or beside it where there is none (null).
 * None of them takes the place of a file to read, of another result, or beside the files of what is there.
 */
export const placesBeside = Effect.fn("placesBeside")(function* (
  files: ReadonlyArray<string>,
  format: ExportFormat,
  folder: string | null,
  nameOption: NameOption = asInLists,
) {
  const refused = (message: string) => refusedOption("output", message)
  const option = nameOption("output")
  if (folder !== null)
    yield* Effect.tryPromise({
      try: () => makeFolders(folder),
      catch: () => refused(noFolder(folder, option, true)),
    })
  const places = files.map((file) =>
    join(folder ?? dirname(file), `${basename(file, extname(file))}${exportFormats[format].extension}`),
  )
  const sources = files.map((file) => resolve(file))
  for (const [at, place] of places.entries()) {
    if (sources.includes(resolve(place)))
      return yield* refused(`${place} is one of the files to read. Name another folder for the results.`)
    if (places.indexOf(place) < at)
      return yield* refused(
        `Two of the files would be written to ${place}. Convert one of them alone, with ${option}.`,
      )
    if (folder === null && (yield* isThere(place)))
      return yield* new BatchRefused({
        reason: "result_present",
        subject: place,
        message: `${place} is there already, and was not replaced. Name a folder for the results: ${option} FOLDER/`,
      })
  }
  return places
})
