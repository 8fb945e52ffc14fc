import { readWavChannel, readWavHeader, SAMPLE_RATE, writeWav } from "@earmark/core/audio"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { noise } from "./sounds.js"

const chunk = (name: string, body: Buffer, size = body.length) => {
  const head = Buffer.alloc(8)
  head.write(name, 0, "latin1")
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

const format = (tag: number, bits: number, channels = 1, rate = 44_100, subformat?: number) => {
  const body = Buffer.alloc(subformat === undefined ? 16 : 40)
  body.writeUInt16LE(tag, 0)
  body.writeUInt16LE(channels, 2)
  body.writeUInt32LE(rate, 4)
  body.writeUInt16LE(bits, 14)
  if (subformat !== undefined) body.writeUInt16LE(subformat, 24)
  return chunk("fmt ", body)
}

const riff = (name: string, ...chunks: ReadonlyArray<Buffer>) => {
  const body = Buffer.concat([Buffer.from("WAVE"), ...chunks])
  return chunk(name, body)
}

const header = (bytes: Uint8Array) => Either.getOrThrow(readWavHeader(bytes))
const reason = (bytes: Uint8Array) => Either.getOrThrow(Either.flip(readWavHeader(bytes))).reason

describe("WAV files", () => {
  it("what was written is read as it was", () => {
    const samples = noise(0.5, 30_000)
    const file = writeWav(samples)
    const read = header(file)
    assert.deepStrictEqual(read, {
      encoding: "s16",
      channels: 1,
      sampleRate: SAMPLE_RATE,
      dataStart: 44,
      dataBytes: samples.length * 2,
    })
    assert.deepStrictEqual(Int16Array.from(readWavChannel(file.subarray(44), read, 0)), samples)
  })

  it("chunks before the samples are passed over, odd ones with their padding", () => {
    const file = riff(
      "RIFF",
      chunk("LIST", Buffer.alloc(31)),
      format(1, 16, 2),
      chunk("data", Buffer.alloc(8)),
    )
    assert.deepInclude(header(file), {
      channels: 2,
      sampleRate: 44_100,
      dataStart: file.length - 8,
      dataBytes: 8,
    })
  })

  it("every plain encoding gives samples of the same size", () => {
    const half = (write: (body: Buffer) => void, bytes: number) => {
      const body = Buffer.alloc(bytes)
      write(body)
      return body
    }
    const cases: ReadonlyArray<readonly [tag: number, bits: number, data: Buffer]> = [
      [1, 8, half((body) => body.writeUInt8(192), 1)],
      [1, 16, half((body) => body.writeInt16LE(16_384), 2)],
      [1, 24, half((body) => body.writeIntLE(4_194_304, 0, 3), 3)],
      [1, 32, half((body) => body.writeInt32LE(1_073_741_824), 4)],
      [3, 32, half((body) => body.writeFloatLE(0.5), 4)],
      [3, 64, half((body) => body.writeDoubleLE(0.5), 8)],
    ]
    for (const [tag, bits, data] of cases) {
      const read = header(riff("RIFF", format(tag, bits), chunk("data", data)))
      assert.deepStrictEqual([...readWavChannel(data, read, 0)], [16_384])
      const extensible = header(riff("RIFF", format(0xfffe, bits, 1, 44_100, tag), chunk("data", data)))
      assert.strictEqual(extensible.encoding, read.encoding)
    }
  })

  it("a stream of unknown length, and one of more than 4 GB", () => {
    const endless = riff("RIFF", format(1, 16), chunk("data", Buffer.alloc(4), 0xffff_ffff))
    assert.strictEqual(header(endless).dataBytes, null)
    const ds64 = Buffer.alloc(28)
    ds64.writeBigUInt64LE(5_000_000_000n, 8)
    const long = riff("RF64", chunk("ds64", ds64), format(1, 16), chunk("data", Buffer.alloc(4), 0xffff_ffff))
    assert.strictEqual(header(long).dataBytes, 5_000_000_000)
  })

  it("what cannot be read says why", () => {
    const data = chunk("data", Buffer.alloc(4))
    assert.strictEqual(reason(Buffer.from("not a wav file")), "not_wav")
    assert.strictEqual(reason(riff("RIFF", data)), "no_format")
    assert.strictEqual(reason(riff("RIFF", format(1, 16))), "no_data")
    assert.strictEqual(reason(riff("RIFF", format(2, 4), data)), "encoding_unknown")
    assert.strictEqual(reason(riff("RIFF", format(1, 16, 0), data)), "encoding_unknown")
  })

  it.prop(
    "any bytes get an answer",
    { cut: FastCheck.nat(200), at: FastCheck.nat(100), byte: FastCheck.nat(255) },
    ({ cut, at, byte }) => {
      const file = Buffer.from(
        riff("RIFF", chunk("LIST", Buffer.alloc(9)), format(1, 16), chunk("data", Buffer.alloc(40))),
      )
      file[at % file.length] = byte
      const read = readWavHeader(file.subarray(0, cut))
      if (Either.isRight(read)) assert.isAtMost(read.right.dataStart, cut)
    },
  )

  it("a file of chunks without end takes linear time", () => {
    const many = Buffer.concat(Array.from({ length: 100_000 }, () => chunk("junk", Buffer.alloc(0))))
    assert.strictEqual(reason(riff("RIFF", many)), "no_data")
  })
})
