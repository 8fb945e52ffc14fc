import { createHash } from "node:crypto"

/** Whole numbers below 2^32 that follow from a text or from bytes: the same give the same ones, everywhere and always. */
export const numbersOf = function* (seed: string | Uint8Array): Generator<number, never> {
  for (let block = 0; ; block++) {
    const digest = createHash("sha256").update(`${block} `).update(seed).digest()
    for (let at = 0; at < digest.length; at += 4) yield digest.readUInt32BE(at)
  }
}

/** A number from 0 up to, not including, 1 that follows from a text. */
export const shareOf = (text: string): number => numbersOf(text).next().value / 2 ** 32
