/** Addresses of resources: `transcription://{id}` and what is under it. */

type Part = "record" | "text" | "segments" | "summary" | "chapters" | "export"

export interface ResourceAddress {
  readonly id: string
  readonly part: Part
  /** The format of an export. */
  readonly format: string
  /** Seconds. */
  readonly start: number | undefined
  readonly end: number | undefined
}

const ADDRESS =
  /^transcription:\/\/([^/?#]{1,64})(?:\/(text|segments|summary|chapters|export)(?:\/([a-z_]{1,20}))?)?(?:\?([^#]{0,200}))?$/

const PARTS: ReadonlySet<string> = new Set<Part>(["text", "segments", "summary", "chapters", "export"])

const isPart = (text: string | undefined): text is Part => text !== undefined && PARTS.has(text)

const secondsIn = (query: URLSearchParams, name: string): number | undefined => {
  const value = Number.parseFloat(query.get(name) ?? "")
  return Number.isFinite(value) && value >= 0 ? value : undefined
}

/** What an address names; null when it is none of ours. */
export const parseAddress = (uri: string): ResourceAddress | null => {
  const [whole, id, name, format, query] = ADDRESS.exec(uri) ?? []
  if (whole === undefined || id === undefined) return null
  const part = isPart(name) ? name : "record"
  if ((part === "export") !== (format !== undefined)) return null
  const parameters = new URLSearchParams(query ?? "")
  return {
    id,
    part,
    format: format ?? "",
    start: secondsIn(parameters, "start"),
    end: secondsIn(parameters, "end"),
  }
}

export const CREDITS = "account://credits"

/** The addresses whose content changes with a transcription. */
export const addressesOf = (id: string): ReadonlyArray<string> =>
  ["", "/text", "/segments", "/summary", "/chapters"].map((part) => `transcription://${id}${part}`)
