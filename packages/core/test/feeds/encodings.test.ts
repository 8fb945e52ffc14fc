import { readFeed } from "@earmark/core/feeds"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { audio, inPieces, now, read, readOne, reasonOf } from "./reading.js"

const feed = (encoding: string, title = "Žluťoučký – kůň") =>
  `<?xml version="1.0"${encoding === "" ? "" : ` encoding="${encoding}"`}?><rss><item><title>${title}</title>${audio}</item></rss>`
const latin1 = (text: string) => Buffer.from(text, "latin1")

describe("encodings", () => {
  it("the mark at the beginning beats the charset and the declaration", () => {
    const marked = Buffer.from(`\ufeff${feed("koi8-r")}`)
    assert.strictEqual(readOne(marked, { charset: "big5" }).title, "Žluťoučký – kůň")
  })

  it("the charset of the answer beats the declaration", () => {
    assert.strictEqual(readOne(latin1(feed("utf-8", "na\xefve")), { charset: "ISO-8859-1" }).title, "naïve")
    assert.strictEqual(readOne(latin1(feed("utf-8", "\xd0\xd2\xc9")), { charset: "koi8-r" }).title, "при")
  })

  it("the declaration", () => {
    assert.strictEqual(readOne(latin1(feed("koi8-r", "\xd0\xd2\xc9"))).title, "при")
    assert.strictEqual(readOne(latin1(feed("Windows-1252", "\x93x\x94"))).title, "“x”")
    assert.strictEqual(readOne(latin1(feed("shift_jis", "\x93\xfa\x96\x7b"))).title, "日本")
  })

  it("what is not UTF-8 though it claims to be is windows-1252", () => {
    for (const label of ["", "utf-8", "us-ascii"]) {
      assert.strictEqual(readOne(latin1(feed(label, "na\xefve \x85"))).title, "naïve …")
      assert.strictEqual(readOne(Buffer.from(feed(label))).title, "Žluťoučký – kůň")
    }
    assert.strictEqual(readOne(Buffer.from(feed("", "a \ufffd b"))).title, "a \ufffd b")
  })

  it("every byte of windows-1252", () => {
    const written = Array.from({ length: 128 }, (_, index) => 128 + index)
    const title = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"
    const text = String.fromCharCode(...written)
    const wanted = title + text.slice(32)
    assert.strictEqual(readOne(latin1(feed("windows-1252", `x${text}x`))).title, `x${wanted}x`)
    const references = written.map((code) => `&#${code};`).join("")
    assert.strictEqual(readOne(Buffer.from(feed("", `x${references}x`))).title, `x${wanted}x`)
  })

  it("UTF-8 that calls itself latin-1 is UTF-8", () => {
    for (const label of ["iso-8859-1", "latin1", "windows-1252", "ISO-8859-1"]) {
      assert.strictEqual(readOne(Buffer.from(feed(label))).title, "Žluťoučký – kůň")
      assert.strictEqual(readOne(Buffer.from(feed("")), { charset: label }).title, "Žluťoučký – kůň")
      assert.strictEqual(readOne(latin1(feed(label, "na\xefve \x85"))).title, "naïve …")
    }
    const json = JSON.stringify({ items: [{ title: "kůň", attachments: [{ url: "a.mp3" }] }] })
    assert.strictEqual(readOne(Buffer.from(json), { charset: "iso-8859-1" }).title, "kůň")
  })

  it("labels that nobody knows, and lies about UTF-16, count as not there", () => {
    for (const label of ["bogus", "utf-16", "utf-32", "ucs-4"]) {
      assert.strictEqual(readOne(Buffer.from(feed(label))).title, "Žluťoučký – kůň")
      assert.strictEqual(readOne(Buffer.from(feed("")), { charset: label }).title, "Žluťoučký – kůň")
    }
  })

  it("JSON in UTF-16", () => {
    const json = JSON.stringify({ items: [{ id: "é", attachments: [{ url: "a.mp3" }] }] })
    for (const bytes of [Buffer.from(json, "utf16le"), Buffer.from(`\ufeff${json}`, "utf16le").swap16()]) {
      assert.strictEqual(readOne(bytes).guid, "é")
    }
  })

  it("UTF-32 is refused", () => {
    const wide = Buffer.concat(
      Array.from(feed("utf-32"), (character) => Buffer.from([0, 0, 0, character.charCodeAt(0)])),
    )
    assert.strictEqual(reasonOf(wide), "unsupported-encoding")
    assert.strictEqual(
      reasonOf(Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), wide])),
      "unsupported-encoding",
    )
  })

  it("two bytes of one character in two pieces", () => {
    const bytes = Buffer.from(feed("", "é".repeat(3000)), "utf16le")
    assert.deepStrictEqual(Either.getOrThrow(readFeed(inPieces(bytes, 777), { now })), read(bytes))
    const japanese = latin1(feed("shift_jis", "\x93\xfa".repeat(600)))
    assert.deepStrictEqual(Either.getOrThrow(readFeed(inPieces(japanese, 1), { now })), read(japanese))
    assert.strictEqual(readOne(japanese).title, "日".repeat(600))
  })

  it("a character that is cut by the end of a piece is whole again", () => {
    const bytes = Buffer.from(feed("", "é".repeat(200_000)))
    assert.strictEqual(read(bytes).episodes[0]?.title, "é".repeat(1000))
  })
})
