import * as Data from "effect/Data"
import * as Either from "effect/Either"
import { SAMPLE_RATE } from "./samples.js"

/** Why bytes cannot be read as a WAV file. */
export class WavInvalid extends Data.TaggedError("WavInvalid")<{
  readonly reason: "not_wav" | "no_format" | "no_data" | "encoding_unknown"
  readonly message: string
}> {}

export type WavEncoding = "u8" | "s16" | "s24" | "s32" | "f32" | "f64"

/** What the header of a WAV file says. */
export interface WavHeader {
  readonly encoding: WavEncoding
  readonly channels: number
  readonly sampleRate: number
  /** Where the samples begin. */
  readonly dataStart: number
  /** How many bytes of samples are announced; null when the writer did not know. */
  readonly dataBytes: number | null
}

const INTEGER = 1
const FLOAT = 3
const EXTENSIBLE = 0xfffe
const UNKNOWN_LENGTH = 0xffff_ffff
const MOST_CHANNELS = 64
const HIGHEST_RATE = 768_000

export const bytesPerSample: Readonly<Record<WavEncoding, number>> = {
  u8: 1,
  s16: 2,
  s24: 3,
  s32: 4,
  f32: 4,
  f64: 8,
}

const encodingOf = (tag: number, bits: number): WavEncoding | undefined => {
  const integers: Readonly<Record<number, WavEncoding>> = { 8: "u8", 16: "s16", 24: "s24", 32: "s32" }
  const floats: Readonly<Record<number, WavEncoding>> = { 32: "f32", 64: "f64" }
  return tag === INTEGER ? integers[bits] : tag === FLOAT ? floats[bits] : undefined
}

const invalid = (reason: WavInvalid["reason"], message: string) =>
  Either.left(new WavInvalid({ reason, message }))

type Format = Pick<WavHeader, "encoding" | "channels" | "sampleRate">

const readFormat = (view: DataView, at: number, size: number): Format | undefined => {
  if (size < 16 || at + 16 > view.byteLength) return undefined
  const tag = view.getUint16(at, true)
  const hasSubformat = tag === EXTENSIBLE && size >= 26 && at + 26 <= view.byteLength
  const encoding = encodingOf(
    hasSubformat ? view.getUint16(at + 24, true) : tag,
    view.getUint16(at + 14, true),
  )
  const channels = view.getUint16(at + 2, true)
  const sampleRate = view.getUint32(at + 4, true)
  const isSane = channels > 0 && channels <= MOST_CHANNELS && sampleRate > 0 && sampleRate <= HIGHEST_RATE
  return encoding === undefined || !isSane ? undefined : { encoding, channels, sampleRate }
}

/**
 * Reads the header of a WAV or RF64 file from its first bytes; the chunks before the samples must be among them (a megabyte is plenty).
 * Only uncompressed sound is known here.
 */
export const readWavHeader = (bytes: Uint8Array): Either.Either<WavHeader, WavInvalid> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const name = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
  if (bytes.length < 12 || !/^(?:RIFF|RF64|BW64)$/.test(name(0)) || name(8) !== "WAVE") {
    return invalid("not_wav", "The file does not begin like a WAV file")
  }
  let format: Format | undefined
  let hasFormat = false
  let longLength: number | null = null
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true)
    const body = at + 8
    if (name(at) === "ds64" && body + 16 <= bytes.length)
      longLength = Number(view.getBigUint64(body + 8, true))
    if (name(at) === "fmt ") {
      hasFormat = true
      format = readFormat(view, body, size)
    }
    if (name(at) === "data") {
      if (!hasFormat) return invalid("no_format", "The WAV file does not say how its samples are written")
      if (format === undefined)
        return invalid("encoding_unknown", "The WAV file holds compressed or odd samples")
      const isUnknown = size === UNKNOWN_LENGTH || size === 0
      return Either.right({ ...format, dataStart: body, dataBytes: isUnknown ? longLength : size })
    }
    at = body + size + (size % 2)
  }
  return invalid("no_data", "The WAV file ends before its samples begin")
}

const readers: Readonly<Record<WavEncoding, (view: DataView, at: number) => number>> = {
  u8: (view, at) => (view.getUint8(at) - 128) * 256,
  s16: (view, at) => view.getInt16(at, true),
  s24: (view, at) => view.getUint8(at) / 256 + view.getInt16(at + 1, true),
  s32: (view, at) => view.getInt32(at, true) / 65_536,
  f32: (view, at) => view.getFloat32(at, true) * 32_768,
  f64: (view, at) => view.getFloat64(at, true) * 32_768,
}

/** The samples of one channel, of the size of 16 bits. `bytes` holds whole frames. */
export const readWavChannel = (bytes: Uint8Array, header: WavHeader, channel: number): Float32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const width = bytesPerSample[header.encoding]
  const frame = width * header.channels
  const read = readers[header.encoding]
  const samples = new Float32Array(Math.floor(bytes.length / frame))
  for (let at = 0; at < samples.length; at++) {
    const sample = read(view, at * frame + channel * width)
    samples[at] = Number.isFinite(sample) ? sample : 0
  }
  return samples
}

const HEADER = 44

/** What stands before so many samples of 16 kHz mono, signed 16 bit, to make a WAV file of them. */
export const writeWavHeader = (samples: number): Uint8Array => {
  const bytes = new Uint8Array(HEADER)
  const view = new DataView(bytes.buffer)
  const write = (at: number, text: string) => {
    for (let index = 0; index < text.length; index++) bytes[at + index] = text.charCodeAt(index)
  }
  write(0, "RIFF")
  view.setUint32(4, HEADER + samples * 2 - 8, true)
  write(8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, INTEGER, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SAMPLE_RATE, true)
  view.setUint32(28, SAMPLE_RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write(36, "data")
  view.setUint32(40, samples * 2, true)
  return bytes
}

/** A WAV file of 16 kHz mono samples, as programs and services take them. */
export const writeWav = (samples: Int16Array): Uint8Array => {
  const bytes = new Uint8Array(HEADER + samples.length * 2)
  bytes.set(writeWavHeader(samples.length))
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < samples.length; index++) {
    view.setInt16(HEADER + index * 2, samples[index] ?? 0, true)
  }
  return bytes
}
