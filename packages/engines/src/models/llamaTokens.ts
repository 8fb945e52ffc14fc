const VOCABULARY = 'llama_vocab_base64 = "'
const PLACEHOLDERS = 768
const BYTE = /^<0x([0-9A-F]{2})>$/

const bytesOf = (token: string): Buffer => {
  const byte = BYTE.exec(token)?.[1]
  return byte === undefined ? Buffer.from(token) : Buffer.from(byte, "hex")
}

/** The list of tokens that sherpa-onnx wants for Moonshine, built from the source text of llama-tokenizer-js: the vocabulary of Llama, then placeholders. */
export const llamaTokens = (source: string): string => {
  const from = source.indexOf(VOCABULARY) + VOCABULARY.length
  const packed = source.slice(from, source.indexOf('"', from))
  const tokens = Buffer.from(packed, "base64").toString("utf8").split("\n")
  const placeholders = Array.from({ length: PLACEHOLDERS }, (_, at) => `<<ST_${at}>>`)
  return [...tokens, ...placeholders]
    .map((token, id) => `${bytesOf(token).toString("base64")} ${id}\n`)
    .join("")
}
