import { crc32 } from "../../signing/crc32.js"

/** One file of an archive; its content may be read twice and must be the same each time. */
export interface Entry {
  readonly name: string
  readonly content: Iterable<string | Uint8Array>
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

function* entryBytes(facts: Measured, { content }: Entry): Generator<Uint8Array> {
  yield Buffer.concat([signature(0x04034b50), commonFields(facts), facts.name])
  for (const part of content) yield Buffer.from(part)
}

/** Places and sizes are numbers of 32 bits, the count of entries one of 16. */
const MOST_BYTES = 0xffff_ffff
const MOST_ENTRIES = 0xffff

/** Writes a zip archive with stored entries, one after the other. The content of an entry is read once for its checksum and once for its bytes. */
export class Archive {
  readonly #measured: Array<Measured> = []
  #offset = 0

  /** The bytes of an entry; null where the archive is full. All of them are to be read before the next entry. */
  add(entry: Entry): Generator<Uint8Array> | null {
    let crc = 0
    let size = 0
    for (const part of entry.content) {
      const bytes = Buffer.from(part)
      crc = crc32(bytes, crc)
      size += bytes.length
    }
    const facts = { name: Buffer.from(entry.name), crc, size, offset: this.#offset }
    const end = this.#offset + 30 + facts.name.length + size
    if (end > MOST_BYTES || this.#measured.length === MOST_ENTRIES) return null
    this.#measured.push(facts)
    this.#offset = end
    return entryBytes(facts, entry)
  }

  /** What stands behind the last entry: the directory. */
  *end(): Generator<Uint8Array> {
    const directory = Buffer.concat(this.#measured.map(directoryLine))
    yield directory
    yield directoryEnd(this.#measured.length, directory.length, this.#offset)
  }
}

/** A whole archive. Its content is never held. */
export function* zip(entries: ReadonlyArray<Entry>): Generator<Uint8Array> {
  const archive = new Archive()
  for (const entry of entries) yield* archive.add(entry) ?? []
  yield* archive.end()
}
