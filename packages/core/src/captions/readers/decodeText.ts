import { decodeWindows1252 } from "../../text/windows1252.js"

/** A file as text with `\n` line ends, and whether its bytes were the UTF-8 they should have been. */
export interface Decoded {
  readonly text: string
  readonly utf8: boolean
}

const strict = new TextDecoder("utf-8", { fatal: true })
const lenient = new TextDecoder("utf-8")
const littleEndian = new TextDecoder("utf-16le")

const bigEndian = (bytes: Uint8Array): string =>
  littleEndian.decode(Buffer.from(bytes.slice(0, bytes.length & ~1)).swap16())

const SAMPLE = 64

/** UTF-16 without a mark: western text has every second byte zero. */
const zeroBytes = (bytes: Uint8Array, parity: 0 | 1): boolean => {
  const length = Math.min(bytes.length & ~1, SAMPLE)
  let zeros = 0
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros += at % 2 === parity ? 1 : -length
  return length >= 4 && zeros > length / 4
}

/** Whether more characters beyond ASCII are whole than broken: a few bytes are bad, and the file is no older one. */
const isMostlyUtf8 = (text: string): boolean => {
  let surplus = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 0x7f) surplus += code === 0xfffd ? -1 : 1
  }
  return surplus > 0
}

const decodeBytes = (bytes: Uint8Array): Decoded => {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || zeroBytes(bytes, 1))
    return { text: littleEndian.decode(bytes), utf8: true }
  if ((first === 0xfe && second === 0xff) || zeroBytes(bytes, 0))
    return { text: bigEndian(bytes), utf8: true }
  try {
    return { text: strict.decode(bytes), utf8: true }
  } catch {
    // Only WebVTT says what to do with bad bytes; other old files are nearly always windows-1252.
    const text = lenient.decode(bytes)
    const isUtf8 = text.slice(0, 16).startsWith("WEBVTT") || isMostlyUtf8(text)
    return { text: isUtf8 ? text : decodeWindows1252(bytes), utf8: false }
  }
}

/** Any input as text without byte order mark, carriage returns and NUL characters. */
export const decodeText = (input: string | Uint8Array): Decoded => {
  const decoded = typeof input === "string" ? { text: input, utf8: true } : decodeBytes(input)
  let text = decoded.text
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1)
  if (text.includes("\r")) text = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n")
  if (text.includes("\0")) text = text.replaceAll("\0", "\ufffd")
  return { text, utf8: decoded.utf8 }
}
