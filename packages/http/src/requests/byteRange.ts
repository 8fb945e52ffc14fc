/** One range and nothing beside it. */
const ONE_RANGE = /^bytes=(\d{0,30})-(\d{0,30})$/

/** From a byte up to, not including, another one. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The part of a file that a `Range` header asks for (RFC 9110, 14.2). Several ranges, other units and what is no range ask for the whole
 * file.
 */
export const byteRangeOf = (
  header: string | undefined,
  bytes: number,
): ByteRange | "whole" | "unsatisfiable" => {
  const [, first = "", last = ""] = ONE_RANGE.exec(header ?? "") ?? []
  if (first === "" && last === "") return "whole"
  if (first === "") {
    const from = Math.max(0, bytes - Number(last))
    return from < bytes ? { from, to: bytes } : "unsatisfiable"
  }
  const from = Number(first)
  const to = last === "" ? bytes : Math.min(bytes, Number(last) + 1)
  if (last !== "" && Number(last) < from) return "whole"
  return from < bytes ? { from, to } : "unsatisfiable"
}
