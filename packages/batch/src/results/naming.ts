/** Names of results by a pattern such as `{show}/{date} {title}`: safe on every system, whatever a title holds. */
import { suggestion, trimEndOf } from "@earmark/core/text"
import { DateTime, Effect } from "effect"
import { BatchRefused } from "../BatchRefused.js"

/** What a pattern may name. */
export interface Fields {
  /** The name of the file without its ending, else the title. */
  readonly name: string
  readonly title: string
  /** The podcast; of a file the folder that it is in. */
  readonly show: string
  /** When it was published; of a file, when it was changed last. Milliseconds since 1970. */
  readonly time: number | null
  readonly guid: string
  /** Its number among the sources of the run, from 1 on. */
  readonly number: number
}

const FIELDS = ["name", "title", "show", "date", "year", "month", "day", "guid", "number"] as const
type Field = (typeof FIELDS)[number]

type Part = { readonly text: string } | { readonly field: Field }

/** A pattern that was read: folders, then the name. */
export interface Template {
  readonly text: string
  readonly segments: ReadonlyArray<ReadonlyArray<Part>>
}

const isField = (name: string): name is Field => FIELDS.some((field) => field === name)

const partsOf = (segment: string) => segment.split(/(\{[^{}]*\})/).filter((part) => part !== "")

const wrong = (text: string, why: string, hint = "") =>
  new BatchRefused({
    reason: "name_invalid",
    subject: text,
    message: `"${text}" cannot be used: ${why} It may hold ${FIELDS.map((field) => `{${field}}`).join(", ")}.${hint}`,
  })

const readPart = Effect.fnUntraced(function* (part: string, text: string) {
  const name = /^\{(.*)\}$/.exec(part)?.[1]
  if (name === undefined) {
    if (/[{}]/.test(part)) return yield* wrong(text, "a brace stands alone.")
    const plain: Part = { text: part }
    return plain
  }
  if (!isField(name)) return yield* wrong(text, `there is no {${name}}.`, suggestion(name, FIELDS))
  const field: Part = { field: name }
  return field
})

export const templateOf = Effect.fnUntraced(function* (text: string) {
  const names = text.split("/")
  if (text.trim() === "" || names.some((name) => name.trim() === ""))
    return yield* wrong(text, "a part of it is empty.")
  if (names.some((name) => name === ".." || name === "."))
    return yield* wrong(text, "it must not lead out of the folder of the results.")
  const segments = yield* Effect.forEach(names, (name) =>
    Effect.forEach(partsOf(name), (part) => readPart(part, text)),
  )
  const template: Template = { text, segments }
  return template
})

const LONGEST_BYTES = 180

/** Names that one system keeps for its devices. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

const shortened = (text: string): string => {
  const kept: Array<string> = []
  let bytes = 0
  for (const { segment } of new Intl.Segmenter("en").segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > LONGEST_BYTES) break
    kept.push(segment)
  }
  return kept.join("")
}

/** A text as the name of a file or folder: nothing that a system refuses, reads as a path or hides. */
export const safeName = (text: string): string => {
  const short = shortened(
    text
      .normalize("NFC")
      .replace(/[\p{Bidi_Control}\u00ad\ufeff]+/gu, "")
      .replace(/[<>"*?\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
      .replace(/\s+/g, " ")
      .replace(/ ?[/\\|][/\\| ]*/g, "-")
      .replace(/ ?:[: ]*/g, "- ")
      .replace(/\s+/g, " "),
  )
  const plain = trimEndOf(short.replace(/^[ .-]+/, ""), " .")
  if (plain === "") return "untitled"
  return RESERVED.test(plain) ? `_${plain}` : plain
}

const textOf = (field: Field, { name, title, show, time, guid, number }: Fields): string => {
  const day = time === null ? "" : DateTime.formatIso(DateTime.unsafeMake(time)).slice(0, 10)
  switch (field) {
    case "name":
      return name
    case "title":
      return title
    case "show":
      return show
    case "date":
      return day || "undated"
    case "year":
      return day.slice(0, 4) || "undated"
    case "month":
      return day.slice(5, 7)
    case "day":
      return day.slice(8, 10)
    case "guid":
      return guid
    case "number":
      return String(number).padStart(3, "0")
  }
}

/** Folders and name for one source. A value never makes another folder. */
export const named = ({ segments }: Template, fields: Fields): ReadonlyArray<string> =>
  segments.map((parts) =>
    safeName(parts.map((part) => ("text" in part ? part.text : textOf(part.field, fields))).join("")),
  )

/** How many folders of a pattern are the same for all episodes of a show. */
export const foldersOfShow = ({ segments }: Template): number => {
  const folders = segments.slice(0, -1)
  const first = folders.findIndex((parts) => parts.some((part) => "field" in part && part.field !== "show"))
  return first < 0 ? folders.length : first
}
