import { join } from "node:path"
import type { ExportFormat } from "@earmark/core/captions"
import { exportFormats } from "@earmark/core/captions"
import { slugOf } from "@earmark/core/text"

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A name for what has no title: the end of its address. */
export const nameOfAddress = (address: string): string => {
  if (!URL.canParse(address)) return "transcript"
  const { hostname, pathname } = new URL(address)
  const last =
    pathname
      .split("/")
      .filter((part) => part !== "")
      .at(-1) ?? hostname
  return slugOf(decoded(last).replace(/\.[a-z0-9]{1,5}$/i, "")) || slugOf(hostname) || "transcript"
}

/** Where the results of one source may go: the names that are tried, one after the other. */
export interface Place {
  readonly folder: string
  /** The name, or the next one when it belongs to something else. */
  readonly stem: (attempt: number) => string
  /** Whether a file of that name can be taken for the result of this source: it stands beside it, or was named. */
  readonly isOwn: boolean
}

export const pathIn = (place: Place, attempt: number, format: ExportFormat): string =>
  join(place.folder, `${place.stem(attempt)}${exportFormats[format].extension}`)
