/** How the bytes of a feed are to be read. */
export type Encoding =
  | { readonly kind: "utf-8" }
  | { readonly kind: "other"; readonly decoder: InstanceType<typeof TextDecoder> }
  | { readonly kind: "refused" }

/** How many bytes at the beginning decide. */
export const ENCODING_HEAD = 1_024

const DECLARED = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']\s*([\w.:-]+)/i
/** Labels under which UTF-8 travels: ASCII is a part of it, and what is not UTF-8 is read as windows-1252 anyway. */
const UTF_8 = /^(?:utf-?8|us-ascii|ascii|unicode-1-1-utf-8)$/i
const UTF_16 = /^(?:utf-?16|ucs-2|iso-10646-ucs-2|unicode)/i

/** Mark of the encoding, shape of the first bytes, charset of the answer, XML declaration, UTF-8: the first that speaks. */
export const detectEncoding = (head: Uint8Array, charset: string | null): Encoding => {
  const [first, second, third, fourth] = head
  const starts = (...bytes: ReadonlyArray<number>) => bytes.every((byte, index) => head[index] === byte)
  if (starts(0xff, 0xfe, 0, 0) || starts(0, 0, 0xfe, 0xff)) return { kind: "refused" }
  if (starts(0x3c, 0, 0, 0) || starts(0, 0, 0, 0x3c)) return { kind: "refused" }
  if (starts(0xef, 0xbb, 0xbf)) return { kind: "utf-8" }
  if (starts(0xff, 0xfe) || (first === 0x3c && second === 0)) return other("utf-16le")
  if (starts(0xfe, 0xff) || (first === 0 && second === 0x3c)) return other("utf-16be")
  // Blanks or an object of JSON in UTF-16.
  if (second === 0 && fourth === 0) return other("utf-16le")
  if (first === 0 && third === 0) return other("utf-16be")
  return (
    labelled(charset) ??
    labelled(DECLARED.exec(Buffer.from(head).toString("latin1"))?.[1] ?? null) ?? { kind: "utf-8" }
  )
}

/** What is called latin-1 or windows-1252 is often UTF-8: each text of it is read as what it is. */
const other = (label: string): Encoding => {
  const decoder = new TextDecoder(label)
  return decoder.encoding === "windows-1252" ? { kind: "utf-8" } : { kind: "other", decoder }
}

/** What a label says; null when nobody knows it, or when the bytes show that it cannot be. */
const labelled = (label: string | null): Encoding | null => {
  const name = label?.trim().replace(/^["']|["']$/g, "") ?? ""
  if (UTF_8.test(name)) return { kind: "utf-8" }
  // Bytes of UTF-16 were recognised above, whatever the label.
  if (name === "" || UTF_16.test(name)) return null
  try {
    return other(name)
  } catch {
    return null
  }
}

/** Makes UTF-8 of any encoding, chunk by chunk. */
export const toUtf8 = (encoding: Encoding, bytes: Uint8Array, isLast: boolean): Uint8Array => {
  if (encoding.kind === "other") return Buffer.from(encoding.decoder.decode(bytes, { stream: !isLast }))
  return bytes
}
