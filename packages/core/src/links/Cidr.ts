import { TaggedError } from "effect/Data"
import * as Either from "effect/Either"
import { type IpAddress, parseIpAddress } from "./ipAddress.js"

const WORD_BITS = 16

/** A range of addresses of one family. Read it with `parseCidr`. */
export interface Cidr {
  readonly start: IpAddress
  readonly prefixLength: number
}

/** The text is neither an address nor a range such as `10.0.0.0/8`. */
export class CidrInvalid extends TaggedError("CidrInvalid")<{ readonly text: string }> {
  override get message() {
    return `"${this.text}" is not an address range; write it like 10.0.0.0/8, fd00::/8 or 127.0.0.1`
  }
}

/** A single address is the range of that address. Bits past the prefix do not count. */
export const parseCidr = (text: string): Either.Either<Cidr, CidrInvalid> => {
  const [, address = "", length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const start = parseIpAddress(address)
  const bits = (start?.length ?? 0) * WORD_BITS
  const prefixLength = length === undefined ? bits : Number(length)
  return start === undefined || prefixLength > bits
    ? Either.left(new CidrInvalid({ text: text.trim() }))
    : Either.right({ start, prefixLength })
}

/** The ranges of a list with commas or blanks between. One wrong range refuses the list. */
export const parseCidrList = (text: string): Either.Either<ReadonlyArray<Cidr>, CidrInvalid> => {
  const ranges: Array<Cidr> = []
  for (const part of text.split(/[\s,]+/)) {
    if (part === "") continue
    const range = parseCidr(part)
    if (Either.isLeft(range)) return Either.left(range.left)
    ranges.push(range.right)
  }
  return Either.right(ranges)
}

/** Whether the literal address lies in the range. A v4-mapped address lies where its IPv4 address does. */
export const cidrContains = (range: Cidr, address: string): boolean => {
  const words = parseIpAddress(address)
  return words !== undefined && contains(range, words)
}

export const contains = (range: Cidr, address: IpAddress): boolean => {
  if (address.length !== range.start.length) return false
  let bits = range.prefixLength
  for (let index = 0; bits > 0; index++, bits -= WORD_BITS) {
    const ignored = Math.max(0, WORD_BITS - bits)
    if ((address[index] ?? 0) >> ignored !== (range.start[index] ?? 0) >> ignored) return false
  }
  return true
}
