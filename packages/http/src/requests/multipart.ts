/** Forms as they arrive (`multipart/form-data`, RFC 7578): no part is ever held as a whole. */

export interface PartHead {
  readonly name: string
  /** As its sender calls the file; not there for a plain field. */
  readonly filename: string | undefined
  readonly contentType: string | undefined
}

export type PartEvent =
  | { readonly type: "begin"; readonly head: PartHead }
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  | { readonly type: "end" }

const LONGEST_BOUNDARY = 200
const LONGEST_HEAD = 16 * 1024
const LINE_END = "\r\n"
const HEAD_END = "\r\n\r\n"

/** Cuts a header where it has semicolons that stand in no quotes. */
const cutAtSemicolons = (header: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let from = 0
  let isQuoted = false
  for (let at = 0; at < header.length; at++) {
    const sign = header[at]
    if (sign === "\\" && isQuoted) at += 1
    else if (sign === '"') isQuoted = !isQuoted
    else if (sign === ";" && !isQuoted) {
      pieces.push(header.slice(from, at))
      from = at + 1
    }
  }
  return [...pieces, header.slice(from)]
}

/** Some senders write a quote as `\"`, browsers as `%22`. */
const unquoted = (value: string): string =>
  value.startsWith('"') && value.endsWith('"') && value.length > 1
    ? value
        .slice(1, -1)
        .replaceAll(/\\(["\\])/g, "$1")
        .replaceAll("%22", '"')
    : value

const parametersOf = (header: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const piece of cutAtSemicolons(header).slice(1)) {
    const at = piece.indexOf("=")
    if (at > 0) found.set(piece.slice(0, at).trim().toLowerCase(), unquoted(piece.slice(at + 1).trim()))
  }
  return found
}

const UTF_8 = /^utf-8'[a-z-]*'/i

/** A name in the form of RFC 8187, which wins over the plain one. */
const extendedName = (value: string | undefined): string | undefined => {
  if (value === undefined || !UTF_8.test(value)) return undefined
  try {
    return decodeURIComponent(value.replace(UTF_8, ""))
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder("utf-8")

/** What the lines in front of a part say of it; null where it is no part of a form. */
const readHead = (bytes: Uint8Array): PartHead | null => {
  const headers = new Map(
    decoder
      .decode(bytes)
      .split(LINE_END)
      .map((line) => {
        const at = line.indexOf(":")
        return [line.slice(0, Math.max(0, at)).trim().toLowerCase(), line.slice(at + 1).trim()] as const
      }),
  )
  const parameters = parametersOf(headers.get("content-disposition") ?? "")
  const name = parameters.get("name")
  if (name === undefined) return null
  const filename = extendedName(parameters.get("filename*")) ?? parameters.get("filename")
  return { name, filename, contentType: headers.get("content-type") }
}

/** What stands between the parts of a body; null when the body is no form. */
export const boundaryOf = (contentType: string | undefined): string | null => {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType)) return null
  const boundary = parametersOf(contentType).get("boundary") ?? ""
  return boundary === "" || boundary.length > LONGEST_BOUNDARY ? null : boundary
}

type Place = "before" | "boundary" | "head" | "body" | "after"

/** Takes a form piece by piece. */
export const makeMultipart = (boundary: string) => {
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`)
  // The first boundary has no line in front of it.
  let rest: Buffer = Buffer.from(LINE_END)
  let place: Place = "before"
  let isMalformed = false

  const isLongerThan = (most: number) => {
    isMalformed ||= rest.length > most
    return false
  }

  /** Goes on to the next boundary. Answers whether there was one. */
  const toBoundary = (events: Array<PartEvent>): boolean => {
    const at = rest.indexOf(delimiter)
    // The end of what is there may be the beginning of a boundary.
    const until = at < 0 ? Math.max(0, rest.length - delimiter.length + 1) : at
    if (place === "body" && until > 0) events.push({ type: "bytes", bytes: rest.subarray(0, until) })
    if (at < 0) {
      rest = rest.subarray(until)
      return false
    }
    if (place === "body") events.push({ type: "end" })
    rest = rest.subarray(at + delimiter.length)
    place = "boundary"
    return true
  }

  /** Whether it is the last one, or a part follows. */
  const pastBoundary = (): boolean => {
    if (rest.length < 2) return false
    if (rest.subarray(0, 2).toString("latin1") === "--") {
      place = "after"
      return true
    }
    const at = rest.indexOf(LINE_END)
    if (at < 0) return isLongerThan(LONGEST_BOUNDARY)
    rest = rest.subarray(at + LINE_END.length)
    place = "head"
    return true
  }

  const pastHead = (events: Array<PartEvent>): boolean => {
    const at = rest.indexOf(HEAD_END)
    if (at < 0) return isLongerThan(LONGEST_HEAD)
    const head = at > LONGEST_HEAD ? null : readHead(rest.subarray(0, at))
    if (head === null) {
      isMalformed = true
      return false
    }
    events.push({ type: "begin", head })
    rest = rest.subarray(at + HEAD_END.length)
    place = "body"
    return true
  }

  const step = (events: Array<PartEvent>): boolean => {
    switch (place) {
      case "before":
      case "body":
        return toBoundary(events)
      case "boundary":
        return pastBoundary()
      case "head":
        return pastHead(events)
      case "after":
        rest = Buffer.alloc(0)
        return false
    }
  }

  return {
    /** What the next piece holds; null when it is no form. */
    push: (piece: Uint8Array): ReadonlyArray<PartEvent> | null => {
      rest =
        rest.length === 0
          ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
          : Buffer.concat([rest, piece])
      const events: Array<PartEvent> = []
      while (step(events)) {}
      return isMalformed ? null : events
    },
    /** Whether the last boundary has come. */
    isWhole: () => place === "after",
  }
}
