import type { Cursor } from "./Cursor.js"
import type {
  AlternateEnclosure,
  ChapterMark,
  EpisodeDetails,
  Person,
  Soundbite,
  TranscriptLink,
} from "./Feed.js"
import { addressIn } from "./texts.js"
import { keep, readDecimal, readOffset, readWhole } from "./values.js"

/** Podcasting 2.0, and the chapters that Podlove had before it. */
export const readTranscript = (element: Cursor): TranscriptLink | null => {
  const url = addressIn(element, "url")
  if (url === null) return null
  return {
    url,
    type: element.attribute("type"),
    language: element.attribute("language"),
    rel: element.attribute("rel"),
  }
}

export const readPerson = (element: Cursor): Person | null => {
  const name = element.text()
  if (name === null) return null
  return {
    name,
    role: element.attribute("role"),
    group: element.attribute("group"),
    image: element.addressAttribute("img"),
    link: element.addressAttribute("href"),
  }
}

export const readSoundbite = (element: Cursor): Soundbite | null => {
  const start = readOffset(element.attribute("startTime"))
  const duration = readOffset(element.attribute("duration"))
  return start === null || duration === null ? null : { start, duration, title: element.text() }
}

export const readChaptersFile = (element: Cursor): EpisodeDetails["chaptersFile"] => {
  const url = addressIn(element, "url")
  return url === null ? null : { url, type: element.attribute("type") }
}

/** Podlove Simple Chapters stand in the feed itself. */
export const readSimpleChapters = (element: Cursor, chapters: Array<ChapterMark>): void => {
  const children = element.children()
  for (let step = children.next(); step !== "cut"; step = children.next()) {
    if (step === "element" && children.name.key === "psc:chapter") keep(chapters, readChapter(children))
  }
}

const readChapter = (element: Cursor): ChapterMark | null => {
  const start = readOffset(element.attribute("start"))
  const title = element.attribute("title")
  if (start === null || title === null) return null
  return {
    start,
    title,
    link: element.addressAttribute("href"),
    image: element.addressAttribute("image"),
  }
}

export const readAlternateEnclosure = (element: Cursor): AlternateEnclosure => {
  const sources: Array<AlternateEnclosure["sources"][number]> = []
  let integrity: AlternateEnclosure["integrity"] = null
  const children = element.children()
  for (let step = children.next(); step !== "cut"; step = children.next()) {
    if (step !== "element") continue
    if (children.name.key === "podcast:source") keep(sources, readSource(children))
    else if (children.name.key === "podcast:integrity") integrity ??= readIntegrity(children)
  }
  return {
    type: element.attribute("type"),
    length: readWhole(element.attribute("length")),
    bitrate: readDecimal(element.attribute("bitrate")),
    height: readWhole(element.attribute("height")),
    language: element.attribute("lang"),
    title: element.attribute("title"),
    rel: element.attribute("rel"),
    isDefault: element.attribute("default") === "true",
    integrity,
    sources,
  }
}

const readSource = (element: Cursor) => {
  const uri = element.addressAttribute("uri")
  return uri === null ? null : { uri, contentType: element.attribute("contentType") }
}

const readIntegrity = (element: Cursor) => {
  const type = element.attribute("type")
  const value = element.attribute("value")
  return type === null || value === null ? null : { type, value }
}
