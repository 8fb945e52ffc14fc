import * as Data from "effect/Data"

/** Stable words for what is wrong with an XML document. */
export type XmlInvalidReason =
  | "malformed"
  | "own-entities"
  | "too-deep"
  | "too-large"
  | "too-many-tags"
  | "no-opml"

const SENTENCES: Readonly<Record<XmlInvalidReason, string>> = {
  malformed: "The XML is broken. Check that the file is complete.",
  "own-entities": "The XML defines entities of its own, which are not read. Remove its <!ENTITY> lines.",
  "too-deep": "The elements of the XML are nested more than {limit} deep. Write them flatter.",
  "too-large": "The XML has more than {limit} characters. Split it into smaller files.",
  "too-many-tags": "The XML has more than {limit} tags. Split it into smaller files.",
  "no-opml": "This is XML, but not OPML. Export the list of subscriptions from your podcast app again.",
}

/** What was read is not well-formed XML, or more of it than the limits allow. */
export class XmlInvalid extends Data.TaggedError("XmlInvalid")<{
  readonly reason: XmlInvalidReason
  /** Where a broken document breaks; null where no line is at fault. */
  readonly line: number | null
  /** The limit that was passed; null for every other reason. */
  readonly limit: number | null
}> {
  override get message(): string {
    const sentence = SENTENCES[this.reason].replace("{limit}", (this.limit ?? 0).toLocaleString("en-US"))
    return this.line === null ? sentence : sentence.replace("broken.", `broken in line ${this.line}.`)
  }
}
