import { trimEndOf } from "../text/trimEndOf.js"
import { readDeclarations } from "./attributes.js"
import { EQUALS, GREATER, LESS, SLASH, SPACE } from "./scanning.js"

/** What a tag name means where it stands. */
export interface Name {
  /** As written, with its prefix. */
  readonly written: string
  /** Local name in lower case, after the usual prefix of its namespace: `itunes:duration`, `pubdate`. */
  readonly key: string
  /** `<item>` or `<entry>` of RSS, RDF or Atom. */
  readonly isItem: boolean
  /** The same of another namespace. */
  readonly isForeignItem: boolean
  /** An element that holds items: its tags end whatever was left open inside. */
  readonly isContainer: boolean
}

/** The usual prefix of each namespace that we read; the empty one for RSS, RDF and Atom themselves. */
const PREFIXES = new Map<string, string>([
  ["www.itunes.com/dtds/podcast-1.0.dtd", "itunes"],
  ["podcastindex.org/namespace/1.0", "podcast"],
  ["github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md", "podcast"],
  ["search.yahoo.com/mrss", "media"],
  ["search.yahoo.com/mrss/media-rss", "media"],
  ["video.search.yahoo.com/mrss", "media"],
  ["tools.search.yahoo.com/mrss", "media"],
  ["purl.org/dc/elements/1.1", "dc"],
  ["purl.org/dc/elements/1.0", "dc"],
  ["purl.org/dc/terms", "dcterms"],
  ["purl.org/rss/1.0/modules/content", "content"],
  ["podlove.org/simple-chapters", "psc"],
  ["www.google.com/schemas/play-podcasts/1.0", "googleplay"],
  ["purl.oclc.org/net/rss_2.0/enc#", "enc"],
  ["purl.org/rss/1.0", ""],
  ["purl.org/net/rss1.1", ""],
  ["my.netscape.com/rdf/simple/0.9", ""],
  ["channel.netscape.com/rdf/simple/0.9", ""],
  ["backend.userland.com/rss2", ""],
  ["blogs.law.harvard.edu/tech/rss", ""],
  ["cyber.law.harvard.edu/rss/rss.html", ""],
  ["www.w3.org/2005/atom", ""],
  ["purl.org/atom/ns#", ""],
  ["www.w3.org/1999/02/22-rdf-syntax-ns#", ""],
])

/** Prefixes that mean what they usually mean even when nobody declared them. */
const USUAL = new Map<string, string>([
  ["", ""],
  ["rss", ""],
  ["atom", ""],
  ["rdf", ""],
  ...Array.from(PREFIXES.values(), (prefix) => [prefix, prefix] as const),
])

const CONTAINERS = new Set(["channel", "rss", "rdf", "feed"])
const SIMPLE_CHAPTERS = "podlove.org/simple-chapters"
/** Longer addresses of namespaces are none that we read. */
const LONGEST_NAMESPACE = 1000

/** Addresses of namespaces are compared without case, scheme, and last slash. */
const comparable = (uri: string): string => {
  const address = uri
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
  return address.startsWith(SIMPLE_CHAPTERS) ? SIMPLE_CHAPTERS : trimEndOf(address, "/")
}

const prefixOf = (uri: string): string | undefined => {
  if (uri.length > LONGEST_NAMESPACE) return undefined
  const plain = comparable(uri)
  return PREFIXES.get(plain) ?? PREFIXES.get(`www.${plain}`) ?? PREFIXES.get(plain.replace(/^www\./, ""))
}

const LONGEST_KEPT = 64
const MOST_KEPT = 1_000
const MOST_DECLARATIONS = 100

/** The tag names of a stretch of a feed under one set of namespace declarations, each understood once. */
export class Names {
  /** Just after the name that `at` read last. */
  end = 0
  /** Whether names without a prefix were declared here to be of a namespace that we do not read. */
  readonly isForeign: boolean
  readonly #prefixes: ReadonlyMap<string, string>
  readonly #outer: Names | null
  readonly #known = new Map<number, Name>()
  #inner: Map<string, Names> | null = null

  constructor(prefixes: ReadonlyMap<string, string> = USUAL, outer: Names | null = null, isForeign = false) {
    this.#prefixes = prefixes
    this.#outer = outer
    this.isForeign = isForeign
  }

  /** The name that begins at `from`. */
  at(text: string, from: number): Name {
    let hash = 0
    let at = from
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code <= SPACE || code === GREATER || code === SLASH || code === LESS || code === EQUALS) break
      hash = (Math.imul(hash, 31) + code) | 0
    }
    this.end = at
    const known = this.#known.get(hash)
    if (known !== undefined && known.written.length === at - from && text.startsWith(known.written, from)) {
      return known
    }
    return this.#learn(text.slice(from, at), hash)
  }

  /** The names inside an element with these attributes. */
  inside(attributes: string): Names {
    this.#inner ??= new Map()
    const known = this.#inner.get(attributes)
    if (known !== undefined) return known
    const declared = readDeclarations(attributes)
    if (declared.length === 0) return this
    const prefixes = declared
      .slice(0, MOST_DECLARATIONS)
      .map(([prefix, uri]) => [prefix, prefixOf(uri) ?? USUAL.get(prefix) ?? prefix] as const)
    const isForeign = declared.some(([prefix, uri]) => prefix === "" && prefixOf(uri) === undefined)
    const inner = new Names(new Map(prefixes), this, isForeign)
    if (this.#inner.size < MOST_DECLARATIONS) this.#inner.set(flatCopy(attributes), inner)
    return inner
  }

  #learn(written: string, hash: number): Name {
    const isKept = written.length <= LONGEST_KEPT && this.#known.size < MOST_KEPT
    const name = this.#understand(isKept ? flatCopy(written) : written)
    if (isKept) this.#known.set(hash, name)
    return name
  }

  #understand(written: string): Name {
    const colon = written.indexOf(":")
    const local = (colon < 0 ? written : written.slice(colon + 1)).toLowerCase()
    const ownPrefix = colon < 0 ? "" : written.slice(0, colon)
    const prefix = this.#prefix(ownPrefix) ?? this.#prefix(ownPrefix.toLowerCase()) ?? ownPrefix
    const isItem = local === "item" || local === "entry"
    return {
      written,
      key: prefix === "" ? local : `${prefix}:${local}`,
      isItem: isItem && prefix === "",
      isForeignItem: isItem && prefix !== "",
      isContainer: prefix === "" && CONTAINERS.has(local),
    }
  }

  #prefix(written: string): string | undefined {
    const own = this.#prefixes.get(written)
    return own === undefined && this.#outer !== null ? this.#outer.#prefix(written) : own
  }
}

/** A copy that does not keep alive the text it was cut from. */
const flatCopy = (text: string) => Buffer.from(text, "latin1").toString("latin1")
