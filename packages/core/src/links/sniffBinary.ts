import type { ContainerFormat, Sniffed } from "./Sniffed.js"

const media = (format: ContainerFormat): Sniffed => ({ kind: "media", format })
const image = (format: string): Sniffed => ({ kind: "image", format })
const archive = (format: string): Sniffed => ({ kind: "archive", format })
const document = (format: string): Sniffed => ({ kind: "document", format })

/** Bytes at the start of a file, one character each. Longer ones first where one begins another. */
const MAGIC: ReadonlyArray<readonly [start: string, is: Sniffed]> = [
  ["OggS", media("ogg")],
  ["fLaC", media("flac")],
  ["#!AMR", media("amr")],
  ["caff\x00", media("caf")],
  ["riff\x2e\x91\xcf\x11", media("w64")],
  ["\x30\x26\xb2\x75\x8e\x66\xcf\x11", media("asf")],
  ["FLV\x01", media("flv")],
  ["\x00\x00\x01\xba", media("mpegps")],
  ["\x00\x00\x01\xb3", media("mpegps")],
  ["\x0b\x77", media("ac3")],
  [".snd\x00", media("au")],
  ["wvpk", media("wavpack")],
  ["\x1f\x8b", { kind: "gzip" }],
  ["PK\x03\x04", archive("zip")],
  ["BZh91AY&SY", archive("bzip2")],
  ["\xfd7zXZ\x00", archive("xz")],
  ["\x28\xb5\x2f\xfd", archive("zstd")],
  ["7z\xbc\xaf\x27\x1c", archive("7z")],
  ["Rar!\x1a\x07", archive("rar")],
  ["\xff\xd8\xff", image("jpeg")],
  ["\x89PNG\r\n\x1a\n", image("png")],
  ["GIF87a", image("gif")],
  ["GIF89a", image("gif")],
  ["II*\x00", image("tiff")],
  ["MM\x00*", image("tiff")],
  ["\x00\x00\x01\x00", image("ico")],
  ["%PDF-", document("pdf")],
  ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", document("office")],
  ["{\\rtf", document("rtf")],
  ["d8:announce", { kind: "torrent" }],
]

const TRANSPORT_PACKETS: ReadonlyArray<readonly [first: number, size: number]> = [
  [0, 188],
  [4, 192],
  [0, 204],
]

/** What a file with a signature is. */
export const containerOf = (head: Buffer): Sniffed | undefined => {
  const bytes = head.toString("latin1")
  for (const [start, is] of MAGIC) if (bytes.startsWith(start)) return is
  return (
    riff(bytes) ??
    form(bytes) ??
    isoMedia(bytes) ??
    matroska(bytes) ??
    tagged(head, bytes) ??
    transportStream(head)
  )
}

const riff = (bytes: string): Sniffed | undefined => {
  if (!/^(?:RIFF|RIFX|RF64|BW64)/.test(bytes)) return undefined
  const type = bytes.slice(8, 12)
  if (type === "WAVE") return media("wav")
  if (type === "AVI ") return media("avi")
  return type === "WEBP" ? image("webp") : undefined
}

const form = (bytes: string): Sniffed | undefined =>
  bytes.startsWith("FORM") && /^AIF[FC]/.test(bytes.slice(8, 12)) ? media("aiff") : undefined

/** MP4 and its family: the type of the first box is at 4, the brand behind it. */
const isoMedia = (bytes: string): Sniffed | undefined => {
  // The size of the box comes first, and a size is no text.
  if (/^[\t\r\n -~]{4}/.test(bytes)) return undefined
  const box = bytes.slice(4, 8)
  // Files of old QuickTime begin with any of these, without a brand.
  if (/^(?:moov|mdat|wide|free|skip|pnot)$/.test(box)) return media("mov")
  // Fragments begin with these two.
  if (box === "styp" || box === "moof") return media("mp4")
  if (box !== "ftyp") return undefined
  const brand = bytes.slice(8, 12)
  if (/^(?:avif|avis|heic|heix|heim|heis|hevc|mif1|msf1|jxl |crx )/.test(brand)) return image(brand.trim())
  if (/^M4[AB]/.test(brand)) return media("m4a")
  if (brand === "qt  ") return media("mov")
  return /^3g/.test(brand) ? media("3gp") : media("mp4")
}

const matroska = (bytes: string): Sniffed | undefined => {
  if (!bytes.startsWith("\x1a\x45\xdf\xa3")) return undefined
  return media(bytes.slice(0, 64).includes("webm") ? "webm" : "matroska")
}

/** An ID3 tag says mp3, unless what follows it is within sight and is something else. */
const tagged = (head: Buffer, bytes: string): Sniffed | undefined => {
  if (!/^ID3[\x00-\x0f]/.test(bytes)) return undefined
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0)
  const after = head.subarray(10 + size)
  const inner =
    after.length < 4
      ? undefined
      : after.toString("latin1", 0, 4) === "fLaC"
        ? media("flac")
        : audioFrame(after)
  return inner ?? media("mp3")
}

const transportStream = (head: Buffer): Sniffed | undefined => {
  const isPacked = ([first, size]: readonly [number, number]) => {
    if (head.length <= first + 2 * size) return false
    for (let at = first; at < head.length; at += size) if (head[at] !== 0x47) return false
    return true
  }
  return TRANSPORT_PACKETS.some(isPacked) ? media("mpegts") : undefined
}

/** The first frame of a raw MPEG or ADTS stream; some encoders put zeros before it. */
export const audioFrame = (head: Buffer): Sniffed | undefined => {
  let at = 0
  while (at < head.length && head[at] === 0) at++
  const second = head[at + 1] ?? 0
  const third = head[at + 2] ?? 0
  if (head[at] !== 0xff || (second & 0xe0) !== 0xe0) return undefined
  const version = (second >> 3) & 3
  const layer = (second >> 1) & 3
  // Layer 0 is how ADTS marks itself; the sampling rates above 12 do not exist.
  if (layer === 0) return (second & 0xf0) === 0xf0 && ((third >> 2) & 0xf) <= 12 ? media("aac") : undefined
  // Layer I is extinct, and its mark is that of UTF-16 and UTF-32.
  const isFrame = version !== 1 && layer !== 3 && third >> 4 !== 0xf && ((third >> 2) & 3) !== 3
  return isFrame ? media("mp3") : undefined
}
