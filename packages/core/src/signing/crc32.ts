const POLYNOMIAL = 0xedb88320

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) {
    remainder = (remainder & 1) === 1 ? (remainder >>> 1) ^ POLYNOMIAL : remainder >>> 1
  }
  return remainder
})

/** CRC-32 (IEEE 802.3) as an unsigned number; with `before`, of bytes that follow those with that checksum. */
export const crc32 = (bytes: Uint8Array, before = 0): number => {
  let remainder = ~before
  for (const byte of bytes) remainder = (TABLE[(remainder ^ byte) & 0xff] ?? 0) ^ (remainder >>> 8)
  return ~remainder >>> 0
}
