/** SHA-256 (FIPS 180-4) for places without the cryptography of Node. */

const wordsOf = (hex: string): Uint32Array =>
  Uint32Array.from({ length: hex.length / 8 }, (_, at) => Number.parseInt(hex.slice(8 * at, 8 * at + 8), 16))

const START = wordsOf("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19")

const ROUNDS = wordsOf(
  "428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc3" +
    "72be5d7480deb1fe9bdc06a7c19bf174e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da" +
    "983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca63511429296727b70a852e1b21384d2c6dfc53380d13" +
    "650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070" +
    "19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc70208" +
    "90befffaa4506cebbef9a3f7c67178f2",
)

const BLOCK = 64

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** The message with its end: a bit, zeros, and its length in bits. */
const padded = (message: Uint8Array): DataView => {
  const length = Math.ceil((message.length + 9) / BLOCK) * BLOCK
  const bytes = new Uint8Array(length)
  bytes.set(message)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(length - 4, (message.length << 3) >>> 0)
  return view
}

const schedule = (view: DataView, from: number, words: Uint32Array): void => {
  for (let at = 0; at < 16; at++) words[at] = view.getUint32(from + 4 * at)
  for (let at = 16; at < 64; at++) {
    const [near = 0, far = 0] = [words[at - 15], words[at - 2]]
    const small = turned(near, 7) ^ turned(near, 18) ^ (near >>> 3)
    const large = turned(far, 17) ^ turned(far, 19) ^ (far >>> 10)
    words[at] = (words[at - 16] ?? 0) + small + (words[at - 7] ?? 0) + large
  }
}

const mix = (state: Uint32Array, words: Uint32Array): void => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let at = 0; at < 64; at++) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const chosen = (e & f) ^ (~e & g)
    const first = (h + high + chosen + (ROUNDS[at] ?? 0) + (words[at] ?? 0)) | 0
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const most = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + low + most) | 0
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + word
}

export const sha256 = (message: Uint8Array): Uint8Array => {
  const state = START.slice()
  const words = new Uint32Array(64)
  const view = padded(message)
  for (let from = 0; from < view.byteLength; from += BLOCK) {
    schedule(view, from, words)
    mix(state, words)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [at, word] of state.entries()) digest.setUint32(4 * at, word)
  return new Uint8Array(digest.buffer)
}

/** HMAC (RFC 2104) over SHA-256. */
export const hmac = (key: Uint8Array, message: Uint8Array): Uint8Array => {
  const block = new Uint8Array(BLOCK)
  block.set(key.length > BLOCK ? sha256(key) : key)
  const keyed = (pad: number, rest: Uint8Array): Uint8Array => {
    const whole = new Uint8Array(BLOCK + rest.length)
    whole.set(block.map((byte) => byte ^ pad))
    whole.set(rest, BLOCK)
    return sha256(whole)
  }
  return keyed(0x5c, keyed(0x36, message))
}
