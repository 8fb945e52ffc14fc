import { ChannelDraft } from "./ChannelDraft.js"
import { Cursor } from "./Cursor.js"
import { channelFields } from "./channelFields.js"
import type { Source } from "./decoding.js"
import { detailFields } from "./detailFields.js"
import { type Depth, EpisodeDraft, RANK } from "./EpisodeDraft.js"
import type { Channel, FeedFormat } from "./Feed.js"
import type { FeedInvalidReason } from "./FeedInvalid.js"
import { itemFields } from "./itemFields.js"
import type { FeedLimits } from "./limits.js"
import { Names } from "./Names.js"
import type { Episodes } from "./ordering.js"
import { rankOf } from "./ordering.js"
import { findRoot } from "./root.js"
import { CUT } from "./scanning.js"

/** What the reading of every format needs to know. */
export interface FeedSettings {
  readonly now: number
  readonly baseUrl: string | null
  readonly limits: FeedLimits
  /** How much of an episode is built: what a list shows, or its details too. */
  readonly depth: Depth
  /** Whether most items are only ranked, since few of them will be handed out. */
  readonly ranksFirst: boolean
}

/** RSS, RDF and Atom, read from one stretch of text after another. */
export class XmlFeed {
  format: Exclude<FeedFormat, "json"> | null = null
  items = 0
  total = 0
  /** Whether the root element came to its end. */
  isClosed = false
  invalid: FeedInvalidReason | null = null
  readonly #settings: FeedSettings
  readonly #episodes: Episodes
  readonly #channel = new ChannelDraft()
  readonly #cursor: Cursor
  /** What the root element is called; null until its tag was read. */
  #root: string | null = null

  constructor(settings: FeedSettings, episodes: Episodes) {
    this.#settings = settings
    this.#episodes = episodes
    this.#cursor = new Cursor({ text: "", bytes: Buffer.alloc(0) }, new Names(), settings.baseUrl)
  }

  /** Reads all that is complete, and says how many bytes that was: the next stretch begins with the rest. */
  read(source: Source, isLast: boolean): number {
    const cursor = this.#cursor
    cursor.restart(source)
    if (this.format === null && !this.#enterRoot(source.text, isLast)) return 0
    while (this.invalid === null) {
      const step = cursor.next()
      if (step === "cut") break
      if (step === "element") {
        if (this.#root === null) this.#beginRoot()
        channelFields.get(cursor.name.key)?.(cursor, this.#channel)
      } else if (step === "open") {
        if (this.#root === null) this.#beginRoot()
        cursor.base = cursor.innerBase()
        cursor.names = cursor.innerNames()
      } else if (step === "close") this.isClosed ||= cursor.name.key === this.#root
      else if (!this.#readItem()) break
    }
    if (source.text.length - cursor.position > this.#settings.limits.itemBytes)
      this.invalid = "item-too-large"
    return cursor.position
  }

  channel(): Channel {
    return this.#channel.finish()
  }

  #enterRoot(text: string, isLast: boolean): boolean {
    const root = findRoot(text, isLast)
    if (root === null) return false
    if ("reason" in root) {
      this.invalid = root.reason
      return false
    }
    this.format = root.format
    this.#cursor.position = root.at
    return true
  }

  #beginRoot(): void {
    const { name, isSelfClosing, innerTo, position } = this.#cursor
    this.#root = name.key
    // A root that holds no items, such as a redirect, comes as one whole element.
    this.isClosed = isSelfClosing || position > innerTo
  }

  /** False when the item goes on past the end of the text: it is read again when more has come. */
  #readItem(): boolean {
    const { limits, ranksFirst, depth } = this.#settings
    const cursor = this.#cursor
    const draft = new EpisodeDraft(ranksFirst ? RANK : depth)
    const end = cursor.isSelfClosing ? cursor.position : readInto(draft, cursor)
    if (end === CUT) {
      cursor.position = cursor.tagStart
      return false
    }
    this.items += 1 + draft.emptyItems
    if (this.items > limits.items) this.invalid = "too-many-items"
    if (end - cursor.tagStart > limits.itemBytes) this.invalid = "item-too-large"
    if (draft.isPlayable()) this.#keep(draft)
    cursor.position = end
    return true
  }

  #keep(draft: EpisodeDraft): void {
    this.total++
    const rank = rankOf(draft.publishedAt(), this.#settings.now)
    if (!this.#episodes.wants(rank)) return
    const full = draft.depth === RANK ? new EpisodeDraft(this.#settings.depth) : draft
    if (full !== draft) readInto(full, this.#cursor)
    const episode = full.finish(this.#settings.limits)
    if (episode !== null) this.#episodes.add(rank, episode)
  }
}

/**
 * Reads the item whose start tag the cursor came to, and says where it ends: after its end tag,
 * or where the next item or the end of the channel shows that it was never closed.
 */
const readInto = (draft: EpisodeDraft, cursor: Cursor): number => {
  const inner = cursor.inside()
  const fields = itemFields(draft.depth)
  for (;;) {
    switch (inner.next()) {
      case "element":
        fields.get(inner.name.key)?.(inner, draft)
        if (draft.details !== null) detailFields.get(inner.name.key)?.(inner, draft.details)
        break
      case "item":
        if (!inner.isSelfClosing) return inner.tagStart
        draft.emptyItems++
        break
      case "close":
        return inner.name.isContainer ? inner.tagStart : inner.position
      case "cut":
        return CUT
      case "open":
        break
    }
  }
}
