/** A literal address as 16-bit words: 2 for IPv4, 8 for IPv6. A v4-mapped one (`::ffff:1.2.3.4`) is IPv4. */
export type IpAddress = ReadonlyArray<number>

export const IPV4_WORDS = 2
const IPV6_WORDS = 8
const LONGEST = "[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]".length
const GROUP = /^[0-9a-f]{1,4}$/i
const OCTET = /^(?:0|[1-9]\d{0,2})$/

/** Reads the usual written forms only: no zone, no short or octal IPv4. Brackets around IPv6 may stay. */
export const parseIpAddress = (text: string): IpAddress | undefined => {
  if (text.length > LONGEST) return undefined
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text
  if (!bare.includes(":")) return bare === text ? ipv4(bare) : undefined
  const words = ipv6(bare)
  return words !== undefined && isMapped(words) ? words.slice(-IPV4_WORDS) : words
}

const ipv4 = (text: string): IpAddress | undefined => {
  const octets = text.split(".")
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet))) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number)
  return Math.max(a, b, c, d) > 255 ? undefined : [a * 256 + b, c * 256 + d]
}

const ipv6 = (text: string): IpAddress | undefined => {
  const halves = text.split("::")
  if (halves.length > 2) return undefined
  const [before = "", after] = halves
  const head = groups(before, after === undefined)
  const tail = groups(after ?? "", true)
  if (head === undefined || tail === undefined) return undefined
  const missing = IPV6_WORDS - head.length - tail.length
  if (after === undefined) return missing === 0 ? head : undefined
  return missing < 1 ? undefined : [...head, ...new Array<number>(missing).fill(0), ...tail]
}

/** Groups of hexadecimal digits; the end of the whole address may be written as IPv4. */
const groups = (text: string, isEnd: boolean): ReadonlyArray<number> | undefined => {
  if (text === "") return []
  const words: Array<number> = []
  const parts = text.split(":")
  for (const [index, part] of parts.entries()) {
    if (GROUP.test(part)) words.push(Number.parseInt(part, 16))
    else {
      const embedded = isEnd && index === parts.length - 1 ? ipv4(part) : undefined
      if (embedded === undefined) return undefined
      words.push(...embedded)
    }
  }
  return words
}

const isMapped = (words: IpAddress) => words[5] === 0xffff && words.slice(0, 5).every((word) => word === 0)
