import { fileTitle } from "@earmark/core/links"

const CHARSET = /charset\s*=\s*["']?([\w:.-]{1,40})/i
const MARKED = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]{1,40})/i
/** A page says how it is written in its beginning, or not at all. */
const HEAD = 2048

/** The charset that a content type names. */
export const charsetOf = (contentType: string | undefined): string | undefined =>
  CHARSET.exec(contentType ?? "")?.[1]

const decoderFor = (label: string | undefined) => {
  if (label === undefined) return null
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}

/** The text of a page. Bytes that fit no encoding are replaced, never refused. */
export const pageText = (bytes: Uint8Array, contentType: string | undefined): string => {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString("latin1")
  const decoder =
    decoderFor(charsetOf(contentType)) ?? decoderFor(MARKED.exec(head)?.[1]) ?? new TextDecoder("utf-8")
  return decoder.decode(bytes)
}

/** A title of somebody else's page, fit to stand in a sentence of ours. */
export const quoted = (title: string): string => {
  const plain = title.replace(/[\p{C}\s]+/gu, " ").trim()
  return `“${plain.length > 80 ? `${plain.slice(0, 79).trimEnd()}…` : plain}”`
}

const NAME = /filename\*\s*=\s*(?:utf-8)?'[^']*'([^;\s]+)|filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What a file is called, by its server or its address; null when that says nothing. */
export const titleOfAnswer = (address: string, disposition: string | undefined): string | null => {
  const [, extended, inQuotes, plain] = NAME.exec((disposition ?? "").slice(0, 1000)) ?? []
  const given = extended === undefined ? (inQuotes ?? plain) : unescaped(extended)
  const path = URL.canParse(address) ? unescaped(new URL(address).pathname) : ""
  return fileTitle(given ?? path)
}
