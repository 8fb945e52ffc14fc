import { existsSync, readdirSync, readFileSync } from "node:fs"
import { sniff } from "@earmark/core/links"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

const summary = (bytes: Uint8Array): string => {
  const sniffed = sniff(bytes)
  return "format" in sniffed ? `${sniffed.kind} ${sniffed.format}` : sniffed.kind
}
const ascii = (text: string) => Buffer.from(text, "latin1")
const box = (type: string, rest = "") => ascii(`\x00\x00\x00\x20${type}${rest}\x00\x00\x02\x00`)
const id3 = (size: number, after: string) =>
  ascii(`ID3\x04\x00\x00\x00\x00${String.fromCharCode(size >> 7, size & 127)}${"\x00".repeat(size)}${after}`)
const packets = (first: number, size: number) => {
  const bytes = new Uint8Array(1024).fill(0xaa)
  for (let at = first; at < bytes.length; at += size) bytes[at] = 0x47
  return bytes
}

describe("sniffing", () => {
  it("knows media by its bytes", () => {
    const table: ReadonlyArray<readonly [is: string, bytes: Uint8Array]> = [
      ["media mp3", id3(10, "\xff\xfb\x90\x00")],
      ["media mp3", id3(2000, "")],
      ["media flac", id3(10, "fLaC")],
      ["media aac", id3(10, "\xff\xf1\x50\x80")],
      ["media mp3", ascii("\xff\xfb\x90\x64\x00\x00")],
      ["media mp3", ascii("\xff\xf3\x40\xc4\x00")],
      ["media mp3", ascii("\xff\xf2\x40\xc4\x00")],
      ["media mp3", ascii("\xff\xfa\x90\x64\x00")],
      ["media mp3", ascii("\xff\xe3\x18\xc4\x00")],
      ["media mp3", ascii("\x00\x00\x00\x00\x00\xff\xfb\x90\x64")],
      ["media aac", ascii("\xff\xf1\x50\x80\x00")],
      ["media aac", ascii("\xff\xf9\x50\x80\x00")],
      ["media m4a", box("ftyp", "M4A ")],
      ["media m4a", box("ftyp", "M4B ")],
      ["media mp4", box("ftyp", "isom")],
      ["media mp4", box("ftyp", "mp42")],
      ["media mp4", box("styp", "msdh")],
      ["media mov", box("ftyp", "qt  ")],
      ["media mov", box("moov")],
      ["media mov", box("mdat")],
      ["media mov", box("wide")],
      ["media 3gp", box("ftyp", "3gp5")],
      ["media wav", ascii("RIFF\x24\x00\x00\x00WAVEfmt ")],
      ["media wav", ascii("RF64\xff\xff\xff\xffWAVEds64")],
      ["media avi", ascii("RIFF\x24\x00\x00\x00AVI LIST")],
      ["media ogg", ascii("OggS\x00\x02")],
      ["media flac", ascii("fLaC\x00\x00\x00\x22")],
      ["media webm", ascii("\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm")],
      ["media matroska", ascii("\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska")],
      ["media amr", ascii("#!AMR\n\x3c")],
      ["media amr", ascii("#!AMR-WB\n\x44")],
      ["media aiff", ascii("FORM\x00\x00\x00\x00AIFFCOMM")],
      ["media aiff", ascii("FORM\x00\x00\x00\x00AIFCFVER")],
      ["media caf", ascii("caff\x00\x01\x00\x00")],
      ["media asf", ascii("\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9")],
      ["media flv", ascii("FLV\x01\x05")],
      ["media mpegps", ascii("\x00\x00\x01\xba\x44")],
      ["media mpegts", packets(0, 188)],
      ["media mpegts", packets(4, 192)],
      ["media ac3", ascii("\x0b\x77\x00\x00")],
      ["media au", ascii(".snd\x00\x00\x00\x18")],
    ]
    for (const [is, bytes] of table)
      assert.strictEqual(
        summary(bytes),
        is,
        JSON.stringify(Buffer.from(bytes.subarray(0, 20)).toString("latin1")),
      )
  })

  it("knows feeds, pages and other texts", () => {
    const table: Readonly<Record<string, string>> = {
      '<?xml version="1.0"?><rss version="2.0">': "feed xml",
      " \n\t<?xml version='1.0'?>\n<!-- made by x -->\n<rss>": "feed xml",
      "<rss>": "feed xml",
      "<RSS version='0.91'>": "feed xml",
      '<rss:rss xmlns:rss="x">': "feed xml",
      '<feed xmlns="http://www.w3.org/2005/Atom">': "feed xml",
      "<rdf:RDF>": "feed xml",
      '<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><rss>': "feed xml",
      '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x "<html>">]><rss>': "feed xml",
      '<!DOCTYPE rss [<!ENTITY a "b"><html>]><rss>': "feed xml",
      '<!DOCTYPE rss PUBLIC "x" "y"><rss>': "feed xml",
      [`<?xml version="1.0"?><!-- ${"x".repeat(2000)}`]: "feed xml",
      '<?xml version="1.0"?><unknown>': "feed xml",
      '{"version": "https://jsonfeed.org/version/1.1"': "feed json",
      '{"version":"1.0.0","segments":[{"startTime":1': "captions json",
      '{\n "wireMagic": "pb3",\n "events": [': "captions json",
      "<!doctype html><html>": "page",
      "\n<!DOCTYPE HTML PUBLIC>": "page",
      "<html>": "page",
      "<!-- x --><html>": "page",
      '<?xml version="1.0"?><!DOCTYPE html><html>': "page",
      '<?xml version="1.0"?><html xmlns="x">': "page",
      "<script>": "page",
      "<body>": "page",
      '<?xml version="1.0"?><tt xmlns="x">': "captions ttml",
      '<?xml version="1.0"?><opml>': "document opml",
      '<svg xmlns="x">': "image svg",
      "<smil>": "playlist xml",
      "<MPD>": "playlist xml",
      "WEBVTT\n\n00:00.000 --> 00:01.000\nx": "captions vtt",
      WEBVTT: "captions vtt",
      WEBVTTX: "text",
      "1\r\n00:00:00,000 --> 00:00:01,000\r\nx": "captions srt",
      "00:00:00.000 --> 00:00:01.000\nx": "captions srt",
      "[Script Info]\nTitle: x": "captions ass",
      "#EXTM3U\n#EXTINF:1": "playlist m3u",
      "[playlist]\nFile1=x": "playlist pls",
      "hello there": "text",
      "  \n ": "text",
      "{\\rtf1": "document rtf",
    }
    for (const [text, is] of Object.entries(table)) {
      assert.strictEqual(summary(Buffer.from(text)), is, text.slice(0, 60))
      if (!text.startsWith("hello") && text.trim() !== "") {
        assert.strictEqual(summary(Buffer.from(`\ufeff${text}`)), is, `with a mark: ${text.slice(0, 60)}`)
        assert.strictEqual(
          summary(Buffer.from(`\ufeff${text}`, "utf16le")),
          is,
          `UTF-16: ${text.slice(0, 60)}`,
        )
        assert.strictEqual(summary(Buffer.from(`\ufeff${text.padEnd(2000)}`, "utf16le").swap16()), is)
      }
    }
    assert.strictEqual(summary(Buffer.from("<?xml ?><rss>", "utf16le")), "feed xml")
    assert.strictEqual(summary(Buffer.from("<?xml ?><rss>", "utf16le").swap16()), "feed xml")
  })

  it("knows what is neither", () => {
    const table: ReadonlyArray<readonly [is: string, bytes: Uint8Array]> = [
      ["empty", new Uint8Array(0)],
      ["gzip", ascii("\x1f\x8b\x08\x00")],
      ["archive zip", ascii("PK\x03\x04\x14")],
      ["image jpeg", ascii("\xff\xd8\xff\xe0")],
      ["image png", ascii("\x89PNG\r\n\x1a\n")],
      ["image gif", ascii("GIF89a")],
      ["image webp", ascii("RIFF\x00\x00\x00\x00WEBPVP8 ")],
      ["image avif", box("ftyp", "avif")],
      ["image heic", box("ftyp", "heic")],
      ["document pdf", ascii("%PDF-1.7\n")],
      ["torrent", ascii("d8:announce35:")],
      ["unknown", ascii("\xff\xfe\x00\x00<\x00\x00\x00")],
      ["unknown", ascii("\x00\x00\xfe\xff\x00\x00\x00<")],
      ["unknown", ascii("\xff\xff\xff\xff\x00")],
      ["unknown", new Uint8Array(1024)],
      ["unknown", ascii("\x7fELF\x02\x01")],
      ["unknown", ascii("MZ\x90\x00\x03")],
    ]
    for (const [is, bytes] of table) assert.strictEqual(summary(bytes), is)
  })

  it("does not take text for media because of a word in the right place", () => {
    for (const text of [
      "The free lunch",
      "The ftyp box",
      "ID3 tags are old",
      "MAC addresses",
      "FORM 27b",
      ".snd files",
    ]) {
      assert.strictEqual(summary(Buffer.from(text)), "text", text)
    }
  })

  it("looks at a part of a larger buffer without reading beside it", () => {
    const whole = Buffer.concat([ascii("xxxxfLaC"), ascii("\x00\x01\x02")])
    assert.strictEqual(summary(whole.subarray(4)), "media flac")
    assert.strictEqual(summary(new Uint8Array(whole).subarray(4)), "media flac")
  })

  it("judges a text by its first 1,024 bytes, whatever comes later", () => {
    assert.strictEqual(summary(ascii(`${"hello ".repeat(171)}\x00\x00`)), "text")
    assert.strictEqual(summary(ascii(`${"hello ".repeat(170)}\x00\x00`)), "unknown")
  })

  it.prop(
    "any bytes get an answer, and only the first 1,024 count",
    { bytes: FastCheck.uint8Array({ maxLength: 2000 }) },
    ({ bytes }) => {
      assert.strictEqual(summary(bytes), summary(bytes.subarray(0, 1024)))
    },
  )

  const starts = ["<?xml", "<!--", "<!DOCTYPE x [", "<", "{", "ID3", "RIFF", "\x00", "1", "\xff"]
  it.prop(
    "cut and repeated starts get an answer",
    { start: FastCheck.constantFrom(...starts), times: FastCheck.nat({ max: 500 }) },
    (given) => {
      assert.isString(summary(ascii(given.start.repeat(given.times))))
    },
  )

  const corpus = new URL("../../../../../shared/corpus/feeds/", import.meta.url)
  it.skipIf(!existsSync(corpus))(
    "takes every feed of the corpus for a feed (skipped when the corpus is not there)",
    () => {
      const wrong: Array<string> = []
      let feeds = 0
      for (const name of readdirSync(corpus, { recursive: true, encoding: "utf8" })) {
        if (!/\.(?:rss|atom|rdf)$/.test(name) || name.includes("unrecognized")) continue
        feeds++
        const is = summary(readFileSync(new URL(name, corpus)))
        if (!/^(?:feed|empty|gzip)/.test(is)) wrong.push(`${name}: ${is}`)
      }
      assert.isAbove(feeds, 10)
      assert.deepStrictEqual(wrong, [])
    },
  )
})
