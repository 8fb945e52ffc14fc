import * as Either from "effect/Either"
import { hasTooManyJsonValues } from "../requests/jsonValues.js"
import { finished, type InTurns } from "../text/inTurns.js"
import { decodeBytes } from "./decoding.js"
import { DETAILS, LIST } from "./EpisodeDraft.js"
import { detectEncoding, ENCODING_HEAD, type Encoding, toUtf8 } from "./encodings.js"
import type { Feed } from "./Feed.js"
import { FeedInvalid, type FeedInvalidReason } from "./FeedInvalid.js"
import { readJsonFeed } from "./jsonFeed.js"
import { defaultFeedLimits, type FeedLimits } from "./limits.js"
import { collectEpisodes, type Episodes } from "./ordering.js"
import { type FeedSettings, XmlFeed } from "./XmlFeed.js"

export interface FeedOptions {
  /** Milliseconds since 1970. An episode dated more than a day later is listed last. */
  readonly now: number
  /** Build only this many of the newest episodes, and count the rest. Without it all of them are built. */
  readonly newest?: number | undefined
  /** Read also what an episode list does not show: notes, chapters, persons, ... */
  readonly details?: boolean | undefined
  /** The address that the feed came from in the end, for the relative addresses in it. */
  readonly baseUrl?: string | undefined
  /** The charset of the answer's content type. */
  readonly charset?: string | undefined
  readonly limits?: Partial<FeedLimits> | undefined
}

/** Takes a feed in pieces of any size. Nothing that was pushed is kept, so a buffer may be used again. */
export interface FeedReader {
  readonly push: (bytes: Uint8Array) => void
  /** The feed as far as it came. Of one that was cut off, every complete item counts. */
  readonly end: () => Either.Either<Feed, FeedInvalid>
  /** The same in turns: of JSON nothing is read before the end. */
  readonly endInTurns: () => InTurns<Either.Either<Feed, FeedInvalid>>
}

export const feedReader = (options: FeedOptions): FeedReader => {
  const reading = new Reading(checked(options))
  return {
    push: (bytes) => reading.push(bytes),
    end: () => finished(reading.end()),
    endInTurns: () => reading.end(),
  }
}

/** Reads a feed that is at hand, whole or in pieces; a text is read as it is, whatever encoding it declares. */
export const readFeed = (
  feed: string | Uint8Array | Iterable<Uint8Array>,
  options: FeedOptions,
): Either.Either<Feed, FeedInvalid> => {
  const reader = feedReader(options)
  for (const bytes of piecesOf(feed)) reader.push(bytes)
  return reader.end()
}

const piecesOf = (feed: string | Uint8Array | Iterable<Uint8Array>): Iterable<Uint8Array> => {
  // The mark says UTF-8 louder than any declaration.
  if (typeof feed === "string") return [Buffer.from(feed.startsWith(MARK) ? feed : MARK + feed)]
  return feed instanceof Uint8Array ? [feed] : feed
}

const MARK = "\ufeff"

/** Of callers without types: a forgotten `now` would only show in the order of the episodes. */
const checked = (options: FeedOptions | undefined): FeedOptions => {
  if (typeof options?.now === "number") return options
  throw new TypeError("A feed is read with { now }: milliseconds since 1970")
}

/** A number of episodes; anything less than none is none. */
const wholeOf = (newest: number): number => Math.max(0, Math.floor(newest) || 0)

/** At most this many bytes are taken in at once, and at least so many are waited for before looking at them. */
const PIECE = 64 * 1024
const WORTH_READING = 48 * 1024

/** Values that an item of a JSON Feed has on average, and more: what has many times as many takes long to parse. */
const VALUES_OF_ITEM = 20

class Reading {
  readonly #settings: FeedSettings
  readonly #charset: string | null
  readonly #episodes: Episodes
  readonly #xml: XmlFeed
  #encoding: Encoding | null = null
  #isJson: boolean | null = null
  #invalid: FeedInvalidReason | null = null
  #outcome: Either.Either<Feed, FeedInvalid> | null = null
  #taken = 0
  /** What was taken in and not read yet; only the first `#waiting` bytes count. */
  #store = Buffer.alloc(WORTH_READING)
  #waiting = 0
  #readAt = ENCODING_HEAD

  constructor(options: FeedOptions) {
    this.#charset = options.charset ?? null
    this.#settings = {
      now: options.now,
      baseUrl: options.baseUrl ?? null,
      limits: { ...defaultFeedLimits, ...options.limits },
      depth: options.details === true ? DETAILS : LIST,
      ranksFirst: options.newest !== undefined,
    }
    this.#episodes = collectEpisodes(wholeOf(options.newest ?? Number.POSITIVE_INFINITY))
    this.#xml = new XmlFeed(this.#settings, this.#episodes)
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.#invalid === null && this.#outcome === null; at += PIECE) {
      this.#take(bytes.length <= PIECE ? bytes : bytes.subarray(at, at + PIECE), false)
    }
  }

  *end(): InTurns<Either.Either<Feed, FeedInvalid>> {
    this.#outcome ??= yield* this.#finish()
    return this.#outcome
  }

  *#finish(): InTurns<Either.Either<Feed, FeedInvalid>> {
    if (this.#invalid === null) this.#take(new Uint8Array(0), true)
    const feed = this.#reason() ?? (this.#isJson === true ? yield* this.#finishJson() : this.#finishXml())
    return typeof feed === "string"
      ? Either.left(new FeedInvalid({ reason: feed, limit: this.#limitOf(feed) }))
      : Either.right(feed)
  }

  #limitOf(reason: FeedInvalidReason): number | null {
    const { limits } = this.#settings
    switch (reason) {
      case "feed-too-large":
        return this.#taken > limits.feedBytes ? limits.feedBytes : limits.jsonBytes
      case "item-too-large":
        return limits.itemBytes
      case "too-many-items":
        return limits.items
      default:
        return null
    }
  }

  #take(bytes: Uint8Array, isLast: boolean): void {
    if (this.#encoding === null) {
      this.#append(bytes)
      if (this.#waiting < ENCODING_HEAD && !isLast) return
      this.#beginDecoding(isLast)
    } else this.#append(toUtf8(this.#encoding, bytes, isLast))
    if (this.#invalid === null && (isLast || this.#waiting >= this.#readAt)) this.#read(isLast)
  }

  /** What waited for the encoding to be known is decoded now. */
  #beginDecoding(isLast: boolean): void {
    const head = Buffer.from(this.#store.subarray(0, this.#waiting))
    this.#encoding = detectEncoding(head, this.#charset)
    if (this.#encoding.kind === "refused") this.#invalid = "unsupported-encoding"
    else {
      this.#waiting = 0
      this.#taken = 0
      this.#append(toUtf8(this.#encoding, head, isLast))
    }
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#waiting + bytes.length
    if (needed > this.#store.length) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.#store.length))
      this.#store.copy(larger, 0, 0, this.#waiting)
      this.#store = larger
    }
    this.#store.set(bytes, this.#waiting)
    this.#waiting = needed
    this.#taken += bytes.length
    const { limits } = this.#settings
    const isTooLarge =
      this.#taken > limits.feedBytes || (this.#isJson === true && this.#waiting > limits.jsonBytes)
    if (isTooLarge) this.#invalid ??= "feed-too-large"
  }

  #read(isLast: boolean): void {
    this.#isJson ??= this.#beginsWithBrace()
    if (this.#isJson === true) return
    const text = this.#store.toString("latin1", 0, this.#waiting)
    const consumed = Math.min(this.#xml.read({ text, bytes: this.#store }, isLast), this.#waiting)
    this.#invalid = this.#xml.invalid
    this.#store.copy(this.#store, 0, consumed, this.#waiting)
    this.#waiting -= consumed
    // Reading again what is not complete only when there is twice as much keeps the whole work linear.
    this.#readAt = Math.max(WORTH_READING, 2 * this.#waiting)
  }

  /** Null while there are only blanks. */
  #beginsWithBrace(): boolean | null {
    const head = this.#store.toString("utf8", 0, this.#waiting).trimStart()
    return head === "" ? null : head.startsWith("{")
  }

  #reason(): FeedInvalidReason | null {
    return this.#invalid === "not-a-feed" && this.#isJson === null ? "empty" : this.#invalid
  }

  *#finishJson(): InTurns<Feed | FeedInvalidReason> {
    const bytes = this.#store.subarray(0, this.#waiting)
    if (hasTooManyJsonValues(bytes, this.#settings.limits.items * VALUES_OF_ITEM)) return "too-many-items"
    yield
    const text = decodeBytes(this.#store, 0, this.#waiting).trim()
    const read = yield* readJsonFeed(text, this.#settings, this.#episodes)
    if (typeof read === "string") return read
    const { channel, items, total } = read
    return {
      format: "json",
      ...channel,
      total,
      items,
      isCutOff: false,
      episodes: this.#episodes.newestFirst(),
    }
  }

  #finishXml(): Feed | FeedInvalidReason {
    const { format, total, items } = this.#xml
    if (format === null) return "not-a-feed"
    return {
      format,
      ...this.#xml.channel(),
      total,
      items,
      isCutOff: !this.#xml.isClosed,
      episodes: this.#episodes.newestFirst(),
    }
  }
}
