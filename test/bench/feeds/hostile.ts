import { readFeed } from "@earmark/core/feeds"
import { sized } from "../harness.js"

const MEDIA = `<enclosure url="a.mp3"/>`
const BYTES = sized(7_500_000, 100_000)

/** What stands before, what is repeated, what stands behind. */
const INPUTS: ReadonlyArray<readonly [head: string, repeated: string, tail: string]> = [
  ["<rss><channel><item>", "x", ""],
  ["<rss><channel>", "<item>", ""],
  ["<rss><item>", "<![CDATA[", ""],
  ["<rss>", "<!--", ""],
  ["<rss><channel>", "<a>b</a>", ""],
  [`<rss><item>${MEDIA}<title>`, "<", "</title></item></rss>"],
  [`<rss><item>${MEDIA}<title>`, "<a ", "</title></item></rss>"],
  [`<rss><item>${MEDIA}<description>`, "&amp;", "</description></item></rss>"],
  [`<rss><item>${MEDIA}<description>`, "<![CDATA[a]]>", "</description></item></rss>"],
  ["<rss><item><enclosure ", "a='b' ", `/>${MEDIA}</item></rss>`],
  ["<rss><item><enclosure ", "xmlns:a='b' ", `/>${MEDIA}</item></rss>`],
  ["<rss><item>", `<a b="`, "</item></rss>"],
  ["<rss><item>", "<a>", "</item></rss>"],
  ["<rss><item>", "<media:group>", "</item></rss>"],
  ["<rss><item>", "</titles ", "</item></rss>"],
  ["<rss>", `<item>${MEDIA}</item>`, "</rss>"],
]

function* piecesOf([head, repeated, tail]: (typeof INPUTS)[number]): Generator<Uint8Array> {
  yield Buffer.from(head)
  const piece = Buffer.from(repeated.repeat(Math.ceil(200_000 / repeated.length)))
  for (let sent = 0; sent < BYTES; sent += piece.length) yield piece
  yield Buffer.from(tail)
}

/** CPU seconds for 10 MB of the input that takes longest, the best of two readings each. */
export const worstHostile = (now: number): number => {
  const secondsOf = (input: (typeof INPUTS)[number]) => {
    const before = process.cpuUsage()
    readFeed(piecesOf(input), { now, details: true })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000_000 / (BYTES / 10_000_000)
  }
  return Math.max(...INPUTS.map((input) => Math.min(secondsOf(input), secondsOf(input))))
}
