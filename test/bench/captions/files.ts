import { type CaptionFormat, convertCaptions, exportTranscript, readCaptions } from "@earmark/core/captions"
import type { Cue, Segment } from "@earmark/core/transcripts"
import { wordStream } from "@earmark/testkit"
import * as Either from "effect/Either"
import webvtt from "node-webvtt"
import subsrt from "subsrt-ts"
import * as subtitle from "subtitle"
import { atMost, fastest, type Outcome, processorTimed, race, sized } from "../harness.js"

const CUES = sized(100_000, 500)
const ROUNDS = 15
const MOST_MEGABYTES = 16

/** The fields on which all of these packages agree. */
interface Plain {
  readonly start: number
  readonly end: number
  readonly text: string
}

const plainCues = (): ReadonlyArray<Plain> => {
  const words = wordStream({ words: CUES }).map((word) => word.text)
  let at = 0
  return Array.from({ length: CUES }, (_, index) => {
    const length = 8 + ((index * 7) % 6)
    const said = Array.from({ length }, () => words[at++ % words.length] ?? "")
    const text = `${said.slice(0, length >> 1).join(" ")}\n${said.slice(length >> 1).join(" ")}`
    Buffer.from(text) // Joined strings are made flat at first use: not at the cost of the first contender.
    return { start: index * 2600 + 100, end: index * 2600 + 2600, text }
  })
}

const ourCues = (plain: ReadonlyArray<Plain>): ReadonlyArray<Cue> =>
  plain.map(({ start, end, text }) => ({ start, end, speaker: null, lines: text.split("\n"), words: [] }))

/** The bytes as a host sends them: chunk by chunk. */
const written = (cues: ReadonlyArray<Cue>, to: "srt" | "vtt"): ReadonlyArray<Buffer> => {
  const made = convertCaptions({ cues, language: null }, { to })
  if (Either.isLeft(made)) throw made.left
  return Array.from(made.right.chunks, (chunk) => Buffer.from(chunk))
}

const readBack = (text: string, format: CaptionFormat): ReadonlyArray<Cue> => {
  const file = readCaptions(text)
  if (Either.isLeft(file) || file.right.format !== format) throw new Error(`not read as ${format}`)
  return file.right.cues
}

const bySubtitle = (text: string): ReadonlyArray<Plain> =>
  subtitle.parseSync(text).flatMap((node) => (node.type === "cue" ? [node.data] : []))

const bySubsrt = (text: string, format: "srt" | "vtt"): ReadonlyArray<Plain> =>
  subsrt.parse(text, { format }).flatMap((node) => (node.type === "caption" ? [node] : []))

const byWebvtt = (text: string): ReadonlyArray<Plain> =>
  webvtt.parse(text).cues.map(({ start, end, text }) => ({
    start: Math.round(start * 1000),
    end: Math.round(end * 1000),
    text,
  }))

const asText = (cues: ReadonlyArray<Plain>): string =>
  cues.map(({ start, end, text }) => `${start} ${end} ${text.replaceAll("\r\n", "\n").trim()}`).join("\n")

const sameCues = (name: string, cues: ReadonlyArray<Plain>, expected: string): void => {
  if (asText(cues) !== expected) throw new Error(`${name} reads other cues than were written`)
}

const speed = (bench: string, least: number, times: Readonly<Record<string, number>>): Outcome => {
  const ours = times.ours ?? Number.NaN
  const [rivalName, rival] = fastest(times, "ours")
  const ratio = rival / ours
  return { bench, ours, rival, rivalName, ratio, bar: `>= ${least}`, pass: ratio >= least }
}

const speeds = (): ReadonlyArray<Outcome> => {
  const plain = plainCues()
  const cues = ourCues(plain)
  const nodes = plain.map((data) => ({ type: "cue", data }) as const)
  const captions = plain.map(({ start, end, text }, index) => {
    const duration = end - start
    return { type: "caption", index: index + 1, start, end, duration, content: text, text } as const
  })
  const vttCues = plain.map(({ start, end, text }, index) => {
    return { identifier: String(index + 1), start: start / 1000, end: end / 1000, text, styles: "" }
  })
  const srt = Buffer.concat(written(cues, "srt")).toString()
  const vtt = Buffer.concat(written(cues, "vtt")).toString()
  const expected = asText(plain)
  for (const [text, format] of [
    [srt, "srt"],
    [vtt, "vtt"],
  ] as const) {
    sameCues("subtitle", bySubtitle(text), expected)
    sameCues("subsrt-ts", bySubsrt(text, format), expected)
    const ours = readBack(text, format).map(({ start, end, lines }) => ({
      start,
      end,
      text: lines.join("\n"),
    }))
    sameCues("earmark", ours, expected)
  }
  sameCues("node-webvtt", byWebvtt(vtt), expected)

  const srtOut = race(
    {
      ours: () => written(cues, "srt"),
      subtitle: () => Buffer.from(subtitle.stringifySync(nodes, { format: "SRT" })),
      "subsrt-ts": () => Buffer.from(subsrt.build(captions, { format: "srt" })),
    },
    ROUNDS,
    processorTimed,
  )
  const vttOut = race(
    {
      ours: () => written(cues, "vtt"),
      subtitle: () => Buffer.from(subtitle.stringifySync(nodes, { format: "WebVTT" })),
      "subsrt-ts": () => Buffer.from(subsrt.build(captions, { format: "vtt" })),
      "node-webvtt": () => Buffer.from(webvtt.compile({ valid: true, cues: vttCues })),
    },
    ROUNDS,
    processorTimed,
  )
  const srtIn = race(
    {
      ours: () => readCaptions(srt),
      subtitle: () => subtitle.parseSync(srt),
      "subsrt-ts": () => subsrt.parse(srt, { format: "srt" }),
    },
    ROUNDS,
    processorTimed,
  )
  const vttIn = race(
    {
      ours: () => readCaptions(vtt),
      subtitle: () => subtitle.parseSync(vtt),
      "subsrt-ts": () => subsrt.parse(vtt, { format: "vtt" }),
      "node-webvtt": () => webvtt.parse(vtt),
    },
    ROUNDS,
    processorTimed,
  )
  return [
    speed("captions: processor ms, write 100,000 cues as SRT", 2.5, srtOut),
    speed("captions: processor ms, write 100,000 cues as VTT, escaped", 2.5, vttOut),
    speed("captions: processor ms, read 100,000 cues from SRT", 3.5, srtIn),
    speed("captions: processor ms, read 100,000 cues from VTT", 3.5, vttIn),
  ]
}

const segmentsOf = (hours: number): ReadonlyArray<Segment> => {
  const segments: Array<Segment> = []
  const words = wordStream({ words: hours * 9000 })
  for (let from = 0; from < words.length; ) {
    const first = words[from]
    let to = from + 1
    while (to < words.length && words[to]?.speaker === first?.speaker && to - from < 40) to++
    const own = words.slice(from, to)
    const text = own.map((word) => word.text).join(" ")
    segments.push({
      start: first?.start ?? 0,
      end: own.at(-1)?.end ?? 0,
      speaker: first?.speaker ?? null,
      text,
      words: own,
    })
    from = to
  }
  return segments
}

/** The most memory in use while an export is read, beyond the transcript itself. */
const memoryOf = (segments: ReadonlyArray<Segment>, format: "vtt" | "docx" | "json"): number => {
  const used = () => {
    globalThis.gc?.()
    return process.memoryUsage().heapUsed / 1024 / 1024
  }
  const before = used()
  let most = before
  const document = { language: "en", duration: segments.at(-1)?.end ?? 0, segments }
  const made = exportTranscript(document, { format, speakers: true })
  if (Either.isLeft(made)) throw made.left
  let count = 0
  for (const chunk of made.right.chunks)
    if (chunk.length > 0 && count++ % 8 === 0) most = Math.max(most, used())
  return most - before
}

const memories = (): ReadonlyArray<Outcome> => {
  const segments = segmentsOf(sized(100, 1))
  return (["vtt", "docx", "json"] as const).map((format): Outcome => {
    const ours = memoryOf(segments, format)
    return atMost(`captions: MB beside a transcript of 100 hours, ${format}`, ours, MOST_MEGABYTES, " MB")
  })
}

/** Caption files in and out: speed beside other packages, memory of a very long export. */
export const fileOutcomes = (): ReadonlyArray<Outcome> => [...speeds(), ...memories()]
