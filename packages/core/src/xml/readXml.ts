import { Either } from "effect"
import { XMLParser, XMLValidator } from "fast-xml-parser"
import { decodeEntities } from "../text/entities.js"
import { XmlInvalid, type XmlInvalidReason } from "./XmlInvalid.js"

export interface XmlElement {
  /** As it is written, with its prefix. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** Elements and the texts between them, in their order. */
  readonly content: ReadonlyArray<XmlElement | string>
}

/** A whole document becomes a tree, so these bound the time and memory of one. */
export const xmlLimits = { characters: 2 * 1024 * 1024, tags: 200_000, depth: 64 } as const

const refused = (reason: XmlInvalidReason, limit: number | null = null, line: number | null = null) =>
  new XmlInvalid({ reason, limit, line })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const TEXT = "#text"
const ATTRIBUTES = ":@"

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  jPath: false,
  maxNestedTags: xmlLimits.depth,
  // The references that feeds know, and none that a document defines.
  entityDecoder: {
    decode: decodeEntities,
    addInputEntities: (entities) => {
      if (Object.keys(entities).length > 0) throw refused("own-entities")
    },
    setExternalEntities: () => {},
    setXmlVersion: () => {},
    reset: () => {},
  },
})

const hasMoreTags = (text: string, limit: number): boolean => {
  let count = 0
  for (let at = text.indexOf("<"); at >= 0 && count <= limit; at = text.indexOf("<", at + 1)) count++
  return count > limit
}

const parse = (text: string): Either.Either<unknown, XmlInvalid> =>
  Either.try({
    try: (): unknown => parser.parse(text),
    catch: (cause) => {
      if (cause instanceof XmlInvalid) return cause
      const isDeep = cause instanceof Error && cause.message.includes("Maximum nested tags")
      return isDeep ? refused("too-deep", xmlLimits.depth) : refused("malformed")
    },
  })

const validate = (text: string): Either.Either<void, XmlInvalid> => {
  const validity = XMLValidator.validate(text)
  return validity === true ? Either.void : Either.left(refused("malformed", null, validity.err.line))
}

const isNode = ([key]: readonly [string, unknown]) => key !== ATTRIBUTES

/** What the parser makes of one element or text: `{ name: [...children], ":@": attributes }`, or `{ "#text": text }`. */
const nodeOf = (node: unknown): XmlElement | string => {
  const record = isRecord(node) ? node : {}
  const [name = "", value] = Object.entries(record).find(isNode) ?? []
  if (name === TEXT) return String(value)
  const attributes = record[ATTRIBUTES]
  return {
    name,
    attributes: new Map(
      Object.entries(isRecord(attributes) ? attributes : {}).map(([key, text]) => [key, String(text)]),
    ),
    content: Array.isArray(value) ? value.map(nodeOf) : [],
  }
}

/**
 * The root of a whole XML document. It must be well-formed and within `xmlLimits`; a document type is skipped, and one
 * that defines entities is refused. A feed of any length is for `feedReader` instead.
 */
export const readXml = (text: string): Either.Either<XmlElement, XmlInvalid> =>
  Either.gen(function* () {
    if (text.length > xmlLimits.characters)
      return yield* Either.left(refused("too-large", xmlLimits.characters))
    if (hasMoreTags(text, xmlLimits.tags)) {
      return yield* Either.left(refused("too-many-tags", xmlLimits.tags))
    }
    // In this order: what is nested too deep is refused before anything walks through the whole of it.
    const nodes = yield* parse(text)
    yield* validate(text)
    const roots = Array.isArray(nodes) ? nodes.map(nodeOf).filter(isElement) : []
    const [root] = roots
    return root === undefined || roots.length > 1 ? yield* Either.left(refused("malformed")) : root
  })

const isElement = (node: XmlElement | string): node is XmlElement => typeof node !== "string"

/** The elements directly in this one, with this name where one is given. */
export const elementsOf = (element: XmlElement, name?: string): ReadonlyArray<XmlElement> =>
  element.content.filter(isElement).filter((each) => name === undefined || each.name === name)

/** All text in this element and below it. */
export const textOfXml = ({ content }: XmlElement): string =>
  content.map((each) => (isElement(each) ? textOfXml(each) : each)).join("")

/** The text of the first element with this name directly in this one. */
export const childText = (element: XmlElement, name: string): string | undefined => {
  const [child] = elementsOf(element, name)
  return child === undefined ? undefined : textOfXml(child)
}
