const POLYNOMIAL = 0xedb88320

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) {
    remainder = (remainder & 1) === 1 ? (remainder >>> 1) ^ POLYNOMIAL : remainder >>> 1
  }
  return remainder
})

/** CRC-32 (IEEE 802.3) of the first `length` characters of an ASCII text, as an unsigned number. */
export const crc32 = (ascii: string, length: number): number => {
  let remainder = 0xffffffff
  for (let index = 0; index < length; index++) {
    remainder = (TABLE[(remainder ^ ascii.charCodeAt(index)) & 0xff] ?? 0) ^ (remainder >>> 8)
  }
  return (remainder ^ 0xffffffff) >>> 0
}
