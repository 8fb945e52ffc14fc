import { crc32 } from "node:zlib"

const FOUND = 0x02014b50
const END = 0x06054b50

/** The files of a zip with stored entries, read from its directory; every size, place and checksum is looked at. */
export const unzip = (bytes: Buffer): ReadonlyMap<string, string> => {
  const end = bytes.length - 22
  if (bytes.readUInt32LE(end) !== END) throw new Error("no end of directory")
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (at + bytes.readUInt32LE(end + 12) !== end) throw new Error("the directory has another size")
  const files = new Map<string, string>()
  for (let entry = 0; entry < count; entry++) {
    if (bytes.readUInt32LE(at) !== FOUND) throw new Error("no entry of the directory")
    const method = bytes.readUInt16LE(at + 10)
    const size = bytes.readUInt32LE(at + 24)
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength)
    const local = bytes.readUInt32LE(at + 42)
    const content = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const data = bytes.subarray(content, content + size)
    const isSame = bytes.subarray(local + 4, local + 28).equals(bytes.subarray(at + 6, at + 30))
    if (method !== 0 || !isSame || bytes.toString("utf8", local + 30, local + 30 + nameLength) !== name)
      throw new Error(`${name}: its header and its line of the directory differ`)
    if (crc32(data) !== bytes.readUInt32LE(at + 16)) throw new Error(`${name}: wrong checksum`)
    files.set(name, data.toString())
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return files
}
