/** Where the results of a run go, and how they are named there. */
import { basename, dirname, extname, join } from "node:path"
import { slugOf } from "@earmark/core/text"
import { Effect } from "effect"
import { type Item, stemOf } from "../sources/sources.js"
import type { Target } from "../state/made.js"
import type { Found } from "../work/Workplace.js"
import { foldersOfShow, named, type Template, templateOf } from "./naming.js"
import { nameOfAddress, type Place } from "./places.js"

/** Where the results of a run go. */
export type Destination =
  | { readonly type: "output" }
  | { readonly type: "file"; readonly path: string }
  /** One by one; none: only the library keeps it. */
  | { readonly type: "places"; readonly targets: ReadonlyArray<Target> }
  /** Null: beside each file, and here for what is none. */
  | { readonly type: "folder"; readonly path: string | null }

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
