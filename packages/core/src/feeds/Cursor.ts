import { decodeEntities } from "../text/entities.js"
import { innerBase, resolveAddress } from "./addresses.js"
import { eachAttribute, isNamed } from "./attributes.js"
import { decodeBytes, markupText, plainText, type Source } from "./decoding.js"
import type { Name, Names } from "./Names.js"
import {
  APOSTROPHE,
  afterSpecial,
  BANG,
  CUT,
  EQUALS,
  GREATER,
  isNameStart,
  QUESTION,
  QUOTE,
  SLASH,
  SPACE,
} from "./scanning.js"

/**
 * What the cursor came to:
 * an element with its content, the start of an item, the start or end tag of a container, or the end of the text.
 */
export type Step = "element" | "item" | "open" | "close" | "cut"

/** How many elements that nobody closed are stepped into, and how long ones, before their content is given up. */
const MOST_UNCLOSED = 4
const LONGEST_UNCLOSED = 64 * 1024
const LOWER_X = 120
/** The bit in which small and capital letters differ. */
const CASE = 32
const DEFAULT_NAMESPACE = /xmlns\s*=/i

/** Bytes; nobody shows a title beyond them. */
const LONGEST_TEXT = 64 * 1024

/** The end of the characters before a place in UTF-8. */
const wholeCharacters = (bytes: Buffer, end: number) => {
  let at = end
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}

const someText = (text: string) => (text === "" ? null : text)

/** Walks the children of an element one by one, in a source that may end anywhere. */
export class Cursor {
  source: Source
  /** Where the walk goes on. */
  position: number
  limit: number
  names: Names
  base: string | null
  /** What the items of this feed are called; null until the first of them was seen. */
  itemKey: string | null

  /** The tag that the last step came to. */
  name: Name
  tagStart = 0
  nameEnd = 0
  tagClose = 0
  isSelfClosing = false
  /** The content of the element that the last step came to. */
  innerFrom = 0
  innerTo = 0
  #declares = false
  #unclosed = 0
  /** Whether this walks in an item or element, and not through the channel. */
  readonly #isInside: boolean

  constructor(source: Source, names: Names, base: string | null, itemKey: string | null = null) {
    this.source = source
    this.position = 0
    this.limit = source.text.length
    this.names = names
    this.base = base
    this.itemKey = itemKey
    this.#isInside = itemKey !== null
    this.name = names.at("", 0)
  }

  /** Goes on in another source, at its beginning. */
  restart(source: Source): void {
    this.source = source
    this.position = 0
    this.limit = source.text.length
  }

  next(): Step {
    const { text } = this.source
    for (;;) {
      const mark = text.indexOf("<", this.position)
      if (mark < 0 || mark + 1 >= this.limit) return this.#cutAt(mark < 0 ? this.limit : mark)
      const code = text.charCodeAt(mark + 1)
      if (code === BANG || code === QUESTION) {
        const end = afterSpecial(text, mark)
        if (end === CUT || end > this.limit) return this.#cutAt(mark)
        this.position = end
      } else if (code === SLASH) {
        const name = this.names.at(text, mark + 2)
        const close = text.indexOf(">", this.names.end)
        if (close < 0 || close >= this.limit) return this.#cutAt(mark)
        this.position = close + 1
        if (name.isContainer || this.#isItem(name)) return this.#closed(name, mark)
      } else if (isNameStart(code)) {
        return this.#start(mark)
      } else this.position = mark + 1
    }
  }

  /** The text of the element, when it is a short one such as a title; null when there is none. */
  text(): string | null {
    const to = Math.min(this.innerTo, wholeCharacters(this.source.bytes, this.innerFrom + LONGEST_TEXT))
    return someText(plainText(this.source, this.innerFrom, to))
  }

  /** The text of the element with its markup; null when there is none. */
  markup(): string | null {
    return someText(markupText(this.source, this.innerFrom, this.innerTo))
  }

  /** An attribute of the element, trimmed; null when it is missing or empty. */
  attribute(wanted: string): string | null {
    const { text, bytes } = this.source
    let value: string | null = null
    eachAttribute(text, this.nameEnd, this.tagClose, (nameFrom, nameTo, valueFrom, valueTo) => {
      if (!isNamed(text, nameFrom, nameTo, wanted)) return false
      value = decodeEntities(decodeBytes(bytes, valueFrom, valueTo)).trim()
      return true
    })
    return value === "" ? null : value
  }

  /** An attribute by its name without prefix: `resource` finds `rdf:resource`. */
  prefixedAttribute(wanted: string): string | null {
    const attributes = this.#attributes()
    let found: string | null = null
    eachAttribute(attributes, 0, attributes.length, (nameFrom, nameTo) => {
      const name = attributes.slice(nameFrom, nameTo)
      if (name.slice(name.lastIndexOf(":") + 1).toLowerCase() !== wanted) return false
      found = name
      return true
    })
    return found === null ? null : this.attribute(found)
  }

  /** An address in an attribute of the element, against its base. */
  addressAttribute(wanted: string): string | null {
    return resolveAddress(this.attribute(wanted), this.innerBase())
  }

  /** The text of the element as an address, against its base. */
  addressText(): string | null {
    return resolveAddress(this.text(), this.innerBase())
  }

  /** What names mean inside the element. */
  innerNames(): Names {
    return this.#declares ? this.names.inside(this.#attributes()) : this.names
  }

  /** The base of addresses in the element and inside. */
  innerBase(): string | null {
    return this.#declares ? innerBase(this.attribute("xml:base"), this.base) : this.base
  }

  /** A cursor over the children of the element. */
  children(): Cursor {
    const inner = this.inside()
    inner.limit = this.innerTo
    return inner
  }

  /** A cursor over what follows the start tag, when its end is not known yet. */
  inside(): Cursor {
    const inner = new Cursor(this.source, this.innerNames(), this.innerBase(), this.itemKey ?? "")
    inner.position = this.innerFrom
    inner.limit = this.limit
    return inner
  }

  #cutAt(position: number): Step {
    this.position = position
    return "cut"
  }

  #closed(name: Name, mark: number): Step {
    this.name = name
    this.tagStart = mark
    return "close"
  }

  #start(mark: number): Step {
    const { text } = this.source
    const name = this.names.at(text, mark + 1)
    const nameEnd = this.names.end
    const close = this.#tagEnd(text, nameEnd)
    if (close === CUT || close >= this.limit) return this.#cutAt(mark)
    this.name = name
    this.tagStart = mark
    this.nameEnd = nameEnd
    this.tagClose = close
    this.isSelfClosing = text.charCodeAt(close - 1) === SLASH
    this.position = close + 1
    this.innerFrom = close + 1
    this.innerTo = close + 1
    if (this.#declares && this.#declaresItself()) this.name = this.innerNames().at(text, mark + 1)
    if (this.#beginsItem()) {
      this.itemKey ??= this.name.key
      return "item"
    }
    if (this.name.isContainer) return "open"
    return this.isSelfClosing ? "element" : this.#content(text, mark)
  }

  /** Items of another namespace are those of the feed only where the first item is one. */
  #isItem(name: Name): boolean {
    return name.isItem || (name.isForeignItem && name.key === this.itemKey)
  }

  #beginsItem(): boolean {
    const { name, itemKey } = this
    if (itemKey === null) return name.isItem || name.isForeignItem
    return this.#isItem(name) && !(this.#isInside && this.#isForeign())
  }

  /** Whether the names in the element, its own too, are of a namespace that we do not read. */
  #isForeign(): boolean {
    return this.#declares && this.innerNames().isForeign
  }

  #attributes(): string {
    return this.source.text.slice(this.nameEnd, this.tagClose)
  }

  /** Whether the tag says itself what its own prefix, or the lack of one, means. */
  #declaresItself(): boolean {
    const colon = this.name.written.indexOf(":")
    const attributes = this.#attributes()
    return colon < 0
      ? DEFAULT_NAMESPACE.test(attributes)
      : attributes.toLowerCase().includes(`xmlns:${this.name.written.slice(0, colon).toLowerCase()}`)
  }

  /** The `>` of a tag, when its attributes begin at `from`. A quote counts only after `=`. */
  #tagEnd(text: string, from: number): number {
    this.#declares = false
    let isValueNext = false
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === GREATER) return at
      if (code === EQUALS) isValueNext = true
      else if (isValueNext && (code === QUOTE || code === APOSTROPHE)) {
        at = text.indexOf(code === QUOTE ? '"' : "'", at + 1)
        if (at < 0) return CUT
        isValueNext = false
      } else if (code > SPACE) {
        // `xmlns` and `xml:base` begin with an x, and nothing that feeds use often does.
        if ((code | CASE) === LOWER_X && text.charCodeAt(at - 1) <= SPACE) this.#declares = true
        isValueNext = false
      }
    }
    return CUT
  }

  /** Finds the end tag of the element, or what shows that there is none. */
  #content(text: string, start: number): Step {
    const { written } = this.name
    const isForeign = this.#isForeign()
    /** How many items of the other namespace are open. */
    let open = 0
    let mark = text.indexOf("<", this.position)
    while (mark >= 0 && mark + 1 < this.limit) {
      const code = text.charCodeAt(mark + 1)
      let after = mark + 1
      if (code === SLASH) {
        const nameEnd = mark + 2 + written.length
        if (isNameEnd(text.charCodeAt(nameEnd)) && text.startsWith(written, mark + 2)) {
          const close = text.indexOf(">", nameEnd)
          if (close < 0 || close >= this.limit) return this.#cutAt(start)
          return this.#ends(mark, close + 1)
        }
        const name = this.names.at(text, mark + 2)
        if (this.names.end >= this.limit) return this.#cutAt(start)
        if (name.isContainer) return this.#neverEnds(mark)
        if (this.#isItem(name) && --open < 0) return this.#neverEnds(mark)
      } else if (code === BANG || code === QUESTION) {
        after = afterSpecial(text, mark)
        if (after === CUT || after > this.limit) return this.#cutAt(start)
      } else if (isNameStart(code)) {
        const name = this.names.at(text, mark + 1)
        if (this.names.end >= this.limit) return this.#cutAt(start)
        if (this.#isItem(name)) {
          if (!isForeign) return this.#neverEnds(mark)
          const close = text.indexOf(">", this.names.end)
          if (text.charCodeAt(close - 1) !== SLASH) open++
        }
      }
      mark = text.indexOf("<", after)
    }
    return this.#cutAt(start)
  }

  #ends(contentEnd: number, position: number): Step {
    this.innerTo = contentEnd
    this.position = position
    return "element"
  }

  #neverEnds(mark: number): Step {
    this.#unclosed++
    const isWorthIt = this.#unclosed <= MOST_UNCLOSED && mark - this.position <= LONGEST_UNCLOSED
    if (!isWorthIt) this.#ends(mark, mark)
    return "element"
  }
}

const isNameEnd = (code: number) => code <= SPACE || code === GREATER
