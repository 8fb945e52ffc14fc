/** Puts tags into a feed and leaves every other byte as it is. */
import { eachAttribute, isNamed, readDeclarations } from "../feeds/attributes.js"
import {
  afterSpecial,
  BANG,
  CUT,
  cdataContent,
  isCdata,
  isNameStart,
  QUESTION,
  SLASH,
  SPACE,
} from "../feeds/scanning.js"
import { decodeEntities } from "../text/entities.js"

/** What an item says of itself, as far as it takes to find its transcript. */
export interface FeedItem {
  readonly guid: string | null
  readonly mediaUrl: string | null
}

export interface TagOptions {
  /** The lines to put into an item, written with the prefix `podcast`; null for an item without a transcript. */
  readonly tagsOf: (item: FeedItem) => ReadonlyArray<string> | null
  /** Whether a transcript at this address was put there by an earlier run, and is replaced. */
  readonly isOwn: (url: string) => boolean
}

export interface TaggedFeed {
  readonly text: string
  readonly items: number
  readonly tagged: number
}

const NAMESPACE = "https://podcastindex.org/namespace/1.0"
const NAMESPACES = [NAMESPACE, "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"]

interface Tag {
  readonly name: string
  readonly from: number
  /** Behind its `>`. */
  readonly to: number
  readonly attributesFrom: number
  readonly isClosing: boolean
  readonly isEmpty: boolean
}

const QUOTES = /["']/

/** Behind the `>` of a tag; those in quotes are not meant. */
const tagEnd = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? ""
    if (char === ">") return at + 1
    if (QUOTES.test(char)) {
      at = text.indexOf(char, at + 1)
      if (at < 0) return text.length
    }
  }
  return text.length
}

/** Every tag of a document in order; what is in comments and CDATA is none. */
function* tagsIn(text: string): Generator<Tag> {
  let at = text.indexOf("<")
  while (at >= 0) {
    const next = text.charCodeAt(at + 1)
    if (next === BANG || next === QUESTION) {
      const after = afterSpecial(text, at)
      if (after === CUT) return
      at = text.indexOf("<", after)
      continue
    }
    const isClosing = next === SLASH
    const nameFrom = isClosing ? at + 2 : at + 1
    if (!isNameStart(text.charCodeAt(nameFrom))) {
      at = text.indexOf("<", nameFrom)
      continue
    }
    const to = tagEnd(text, nameFrom)
    let nameTo = nameFrom
    while (nameTo < to - 1 && text.charCodeAt(nameTo) > SPACE && text.charCodeAt(nameTo) !== SLASH) nameTo++
    yield {
      name: text.slice(nameFrom, nameTo),
      from: at,
      to,
      attributesFrom: nameTo,
      isClosing,
      isEmpty: text.charCodeAt(to - 2) === SLASH,
    }
    at = text.indexOf("<", to)
  }
}

const attributeOf = (text: string, tag: Tag, wanted: string): string | null => {
  let found: string | null = null
  eachAttribute(text, tag.attributesFrom, tag.to - 1, (nameFrom, nameTo, valueFrom, valueTo) => {
    if (!isNamed(text.slice(nameFrom, nameTo), 0, nameTo - nameFrom, wanted)) return false
    found = decodeEntities(text.slice(valueFrom, valueTo)).trim()
    return true
  })
  return found
}

/** The text of an element without others in it. */
const textOf = (text: string, from: number, to: number): string => {
  const start = text.indexOf("<", from)
  if (start < 0 || start >= to || !isCdata(text, start)) return decodeEntities(text.slice(from, to)).trim()
  const [inner, end] = cdataContent(text, start, to)
  return text.slice(inner, end).trim()
}

/** The end of the blanks before a place, on its line and back to the end of the line before. */
const indentBefore = (text: string, at: number): string => {
  const line = text.lastIndexOf("\n", at - 1)
  const indent = text.slice(line + 1, at)
  return line >= 0 && indent.trim() === "" ? indent : ""
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

interface OpenItem {
  readonly name: string
  guid: string | null
  mediaUrl: string | null
  /** Elements that an earlier run has put there. */
  readonly own: Array<Edit>
  hasForeignChapters: boolean
}

/** What is written must be ASCII, whatever encoding the feed has. */
const ascii = (text: string): string =>
  text.replace(/[^\n -~]/gu, (char) => `&#${char.codePointAt(0) ?? 0xfffd};`)

const isMedia = (name: string): boolean => name === "enclosure" || name === "link"

class Tagger {
  readonly #text: string
  readonly #options: TagOptions
  readonly #edits: Array<Edit> = []
  #prefix: string | null = null
  #root: Tag | null = null
  #item: OpenItem | null = null
  #open: Tag | null = null
  items = 0
  tagged = 0

  constructor(text: string, options: TagOptions) {
    this.#text = text
    this.#options = options
  }

  read(): TaggedFeed {
    for (const tag of tagsIn(this.#text)) this.#see(tag)
    if (this.tagged > 0 && this.#prefix === null && this.#root !== null) {
      const at = this.#root.attributesFrom
      this.#edits.push({ from: at, to: at, text: ` xmlns:podcast="${NAMESPACE}"` })
    }
    return { text: this.#written(), items: this.items, tagged: this.tagged }
  }

  #see(tag: Tag): void {
    if (this.#root === null && !tag.isClosing) {
      this.#root = tag
      const declared = readDeclarations(this.#text.slice(tag.attributesFrom, tag.to - 1))
      const found = declared.find(([prefix, uri]) => prefix !== "" && NAMESPACES.includes(uri))
      this.#prefix = found === undefined ? null : found[0].replace(/^:/, "")
    }
    const item = this.#item
    if (item === null) {
      if (!tag.isClosing && !tag.isEmpty && (tag.name === "item" || tag.name === "entry"))
        this.#item = { name: tag.name, guid: null, mediaUrl: null, own: [], hasForeignChapters: false }
      return
    }
    if (tag.isClosing && tag.name === item.name) this.#endItem(item, tag)
    else this.#inItem(item, tag)
  }

  #inItem(item: OpenItem, tag: Tag): void {
    const { name } = tag
    if (!tag.isClosing && isMedia(name) && item.mediaUrl === null) {
      const isEnclosure = name === "enclosure" || attributeOf(this.#text, tag, "rel") === "enclosure"
      if (isEnclosure) item.mediaUrl = attributeOf(this.#text, tag, name === "link" ? "href" : "url")
    }
    if (name === "guid" || (item.name === "entry" && name === "id")) {
      if (!tag.isClosing) this.#open = tag
      else if (this.#open?.name === name) item.guid ??= textOf(this.#text, this.#open.to, tag.from)
    }
    this.#seeTranscript(item, tag)
  }

  /** A tag of an earlier run is taken out, with the blanks in front of it. */
  #seeTranscript(item: OpenItem, tag: Tag): void {
    const prefix = this.#prefix ?? "podcast"
    const isChapters = tag.name === `${prefix}:chapters`
    if (!isChapters && tag.name !== `${prefix}:transcript`) return
    if (tag.isClosing) {
      const last = item.own.at(-1)
      // Its end, where it is not an empty element.
      if (last !== undefined && this.#open?.name === tag.name)
        item.own[item.own.length - 1] = { ...last, to: tag.to }
      this.#open = null
      return
    }
    const isOwn = this.#options.isOwn(attributeOf(this.#text, tag, "url") ?? "")
    if (!isOwn) item.hasForeignChapters ||= isChapters
    else {
      const line = this.#text.lastIndexOf("\n", tag.from)
      const isFirst = line >= 0 && this.#text.slice(line, tag.from).trim() === ""
      item.own.push({ from: isFirst ? line : tag.from, to: tag.to, text: "" })
      if (!tag.isEmpty) this.#open = tag
    }
  }

  #endItem(item: OpenItem, tag: Tag): void {
    this.#item = null
    this.#open = null
    this.items++
    this.#edits.push(...item.own)
    const lines = this.#options.tagsOf({ guid: item.guid, mediaUrl: item.mediaUrl })
    if (lines === null) return
    this.tagged++
    const prefix = this.#prefix ?? "podcast"
    const written = lines
      .filter((line) => !(item.hasForeignChapters && line.startsWith("<podcast:chapters")))
      .map((line) => ascii(line.replace("<podcast:", `<${prefix}:`)))
    const indent = indentBefore(this.#text, tag.from)
    const at = tag.from - indent.length
    const isOnItsLine = at > 0 && this.#text[at - 1] === "\n"
    const text = isOnItsLine ? written.map((line) => `${indent}  ${line}\n`).join("") : written.join("")
    this.#edits.push({ from: isOnItsLine ? at : tag.from, to: isOnItsLine ? at : tag.from, text })
  }

  #written(): string {
    const pieces: Array<string> = []
    let at = 0
    for (const edit of this.#edits.sort((left, right) => left.from - right.from)) {
      pieces.push(this.#text.slice(at, edit.from), edit.text)
      at = Math.max(at, edit.to)
    }
    pieces.push(this.#text.slice(at))
    return pieces.join("")
  }
}

/**
 * A feed with the tags of its episodes in it. Everything else stays byte for byte; tags of an earlier run are replaced, those of others
 * stay, and a second run changes nothing.
 */
export const tagFeed = (text: string, options: TagOptions): TaggedFeed => new Tagger(text, options).read()
