/** One file of an archive; its content may be read twice and must be the same each time. */
export interface Entry {
  readonly name: string
  readonly content: Iterable<string>
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

const crcStep = (crc: number, bytes: Uint8Array): number => {
  let value = crc
  for (const byte of bytes) value = (value >>> 8) ^ (CRC_TABLE[(value ^ byte) & 0xff] ?? 0)
  return value
}

const VERSION = 20
/** Names are UTF-8. */
const FLAGS = 0x0800
/** The first day the format can name: the same document gives the same bytes on any day. */
const DATE = (1 << 5) | 1

interface Measured {
  readonly name: Buffer
  readonly crc: number
  readonly size: number
  readonly offset: number
}

/** The fields that the header before an entry and its line in the directory have in common. */
const commonFields = ({ name, crc, size }: Measured): Buffer => {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(VERSION, 0)
  fields.writeUInt16LE(FLAGS, 2)
  fields.writeUInt16LE(DATE, 8)
  fields.writeUInt32LE(crc, 10)
  fields.writeUInt32LE(size, 14)
  fields.writeUInt32LE(size, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const directoryLine = (entry: Measured): Buffer => {
  const version = Buffer.from([VERSION, 0])
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(entry.offset, 10)
  return Buffer.concat([signature(0x02014b50), version, commonFields(entry), rest, entry.name])
}

const directoryEnd = (count: number, size: number, offset: number): Buffer => {
  const fields = Buffer.alloc(18)
  fields.writeUInt16LE(count, 4)
  fields.writeUInt16LE(count, 6)
  fields.writeUInt32LE(size, 8)
  fields.writeUInt32LE(offset, 12)
  return Buffer.concat([signature(0x06054b50), fields])
}

/** A zip archive with stored entries. Content is read once for its checksum and once for its bytes, never held. */
export function* zip(entries: ReadonlyArray<Entry>): Generator<Uint8Array> {
  const measured: Array<Measured> = []
  let offset = 0
  for (const entry of entries) {
    let crc = 0xffffffff
    let size = 0
    for (const part of entry.content) {
      const bytes = Buffer.from(part)
      crc = crcStep(crc, bytes)
      size += bytes.length
    }
    const facts = { name: Buffer.from(entry.name), crc: ~crc >>> 0, size, offset }
    measured.push(facts)
    yield Buffer.concat([signature(0x04034b50), commonFields(facts), facts.name])
    for (const part of entry.content) yield Buffer.from(part)
    offset += 30 + facts.name.length + size
  }
  const directory = Buffer.concat(measured.map(directoryLine))
  yield directory
  yield directoryEnd(measured.length, directory.length, offset)
}
