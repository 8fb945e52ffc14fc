import { cellWidth, countGraphemes } from "../text/graphemes.js"
import { joinUnits } from "../text/units.js"
import type { Doubt } from "../transcripts/doubts.js"
import type { Cue } from "../transcripts/Transcript.js"
import type { CaptionProfile, CaptionProfileName } from "./CaptionProfile.js"
import { lintSource } from "./lintSource.js"
import { Ending, type Traits, traitsReader } from "./traits.js"

const FAULTS = [
  "line_too_wide",
  "too_many_lines",
  "too_fast",
  "too_short",
  "too_long",
  "overlap",
  "out_of_order",
  "empty",
  "two_speakers",
  "past_media_end",
  "bom",
  "crlf",
  "unescaped",
] as const

const ADVICE = ["gap_too_small", "leaning_end", "leaning_line", "unbalanced", "doubtful"] as const

export type LintCode = (typeof FAULTS)[number] | (typeof ADVICE)[number]

export type LintUnit = "ms" | "characters_per_second" | "cells" | "lines"

/** What the value and the limit of a finding are counted in; codes that are not here count nothing of the kind. */
const UNITS: Readonly<Partial<Record<LintCode, LintUnit>>> = {
  line_too_wide: "cells",
  empty: "cells",
  too_many_lines: "lines",
  too_fast: "characters_per_second",
  too_short: "ms",
  too_long: "ms",
  overlap: "ms",
  out_of_order: "ms",
  past_media_end: "ms",
  gap_too_small: "ms",
}

export interface LintFinding {
  /** Number of the cue, counted from 1; 0 for what concerns the file. */
  readonly cue: number
  readonly code: LintCode
  /** Advice is a matter of taste, or for a person to judge: a file with nothing else is in order. */
  readonly weight: "fault" | "advice"
  /** What was found: milliseconds, cells, lines, characters per second, a line of the file, the leaning word, or the reason of a doubt. */
  readonly value: number | string
  /** The bound it breaks; null where there is none. */
  readonly limit: number | null
  /** Of `value` and `limit`; null for a word, a share, a line of the file, or a number of things. */
  readonly unit: LintUnit | null
}

export interface LintReport {
  readonly profile: CaptionProfileName
  readonly cues: number
  /** Cues without a fault; advice does not count. */
  readonly ok: number
  /** `ok` of `cues`, 0 to 1; 1 for no cues. */
  readonly share: number
  /** How often each code was found, also beyond the findings listed. */
  readonly counts: Readonly<Partial<Record<LintCode, number>>>
  /** In the order of the cues, at most 1,000. */
  readonly findings: ReadonlyArray<LintFinding>
}

/** What else is known about captions: the length of their media in milliseconds, the text of their file, where their words are in doubt. */
export interface LintMedia {
  readonly duration?: number | undefined
  readonly source?: string | undefined
  readonly doubts?: ReadonlyArray<Doubt> | undefined
}

const MOST_FINDINGS = 1_000
/** Rounding to whole milliseconds or frames is no fault. */
const ROUNDING = 1
const SPEED_ROUNDING = 0.01
/** The shorter of two lines should have this part of the longer one. */
const BALANCED = 1 / 3
const DIALOGUE = /^\s*[-–—]\s*\S/u

type Add = (code: LintCode, value: number | string, limit: number | null) => void

const lintLines = (cue: Cue, profile: CaptionProfile, add: Add) => {
  const { maxCharsPerLine, maxLines } = profile
  const widths = cue.lines.map((line) => cellWidth(line.trim())).sort((a, b) => a - b)
  const widest = widths.at(-1) ?? 0
  if (widest === 0) add("empty", 0, 1)
  if (widths.length > maxLines) add("too_many_lines", widths.length, maxLines)
  if (widest > maxCharsPerLine) add("line_too_wide", widest, maxCharsPerLine)
  const balance = widest === 0 ? 1 : (widths[0] ?? 0) / widest
  if (balance < BALANCED) add("unbalanced", Number(balance.toFixed(2)), BALANCED)
}

const lintTimes = (cue: Cue, profile: CaptionProfile, media: LintMedia, add: Add) => {
  const { minDuration, maxDuration, maxSpeed } = profile
  const shown = cue.end - cue.start
  if (shown < 0) add("out_of_order", shown, 0)
  else {
    if (shown < minDuration - ROUNDING) add("too_short", shown, minDuration)
    if (shown > maxDuration + ROUNDING) add("too_long", shown, maxDuration)
    const speed = (countGraphemes(joinUnits(cue.lines)) * 1000) / Math.max(1, shown)
    if (speed > maxSpeed + SPEED_ROUNDING) add("too_fast", Number(speed.toFixed(1)), maxSpeed)
  }
  if (media.duration !== undefined && cue.end > media.duration) add("past_media_end", cue.end, media.duration)
}

const lintSpeakers = (cue: Cue, add: Add) => {
  const speakers = new Set(cue.words.map((word) => word.speaker)).size
  const voices = cue.lines.filter((line) => DIALOGUE.test(line)).length
  if (speakers > 1 || voices > 1) add("two_speakers", Math.max(speakers, voices), 1)
}

const lintNeighbours = (cue: Cue, before: Cue | undefined, profile: CaptionProfile, add: Add) => {
  if (before === undefined) return
  const gap = cue.start - before.end
  if (cue.start < before.start) add("out_of_order", cue.start, before.start)
  else if (gap < 0) add("overlap", -gap, 0)
  else if (gap < profile.gap) add("gap_too_small", gap, profile.gap)
}

const lastWord = (line: string) => line.slice(line.trimEnd().lastIndexOf(" ") + 1).trim()

const lintLeaning = (cue: Cue, next: Cue | undefined, traitsOf: (text: string) => Traits, add: Add) => {
  const goesOn = next !== undefined && next.speaker === cue.speaker
  cue.lines.forEach((line, index) => {
    const isEnd = index + 1 === cue.lines.length
    if (isEnd && !goesOn) return
    const word = lastWord(line)
    const { leans, ending } = traitsOf(word)
    if (leans && ending === Ending.none) add(isEnd ? "leaning_end" : "leaning_line", word, null)
  })
}

const lintDoubts = (cue: Cue, { doubts = [] }: LintMedia, add: Add) => {
  const middle = (cue.start + cue.end) / 2
  const doubt = doubts.find(({ start, end }) => start <= middle && end > middle)
  if (doubt !== undefined) add("doubtful", doubt.reason, null)
}

const isFault = (code: LintCode) => FAULTS.some((fault) => fault === code)

/** Judges captions of any origin by a profile. Findings about the file need its text in `media.source`. */
export const lintCues = (
  cues: ReadonlyArray<Cue>,
  profile: CaptionProfile,
  media: LintMedia = {},
): LintReport => {
  const findings: Array<LintFinding> = []
  const counts: Partial<Record<LintCode, number>> = {}
  const traitsOf = traitsReader(profile.language)
  let ok = 0
  const note = (cue: number, code: LintCode, value: number | string, limit: number | null) => {
    counts[code] = (counts[code] ?? 0) + 1
    if (findings.length >= MOST_FINDINGS) return
    const weight = isFault(code) ? "fault" : "advice"
    findings.push({ cue, code, weight, value, limit, unit: UNITS[code] ?? null })
  }
  if (media.source !== undefined) {
    for (const { code, value } of lintSource(media.source)) note(0, code, value, 0)
  }
  cues.forEach((cue, index) => {
    let faults = 0
    const add: Add = (code, value, limit) => {
      if (isFault(code)) faults++
      note(index + 1, code, value, limit)
    }
    lintLines(cue, profile, add)
    lintTimes(cue, profile, media, add)
    lintSpeakers(cue, add)
    lintNeighbours(cue, cues[index - 1], profile, add)
    lintLeaning(cue, cues[index + 1], traitsOf, add)
    lintDoubts(cue, media, add)
    if (faults === 0) ok++
  })
  const share = cues.length === 0 ? 1 : Number((ok / cues.length).toFixed(3))
  return { profile: profile.name, cues: cues.length, ok, share, counts, findings }
}

/** Whether anything but advice was found: what makes a check fail. */
export const hasFaults = (report: LintReport): boolean =>
  FAULTS.some((code) => (report.counts[code] ?? 0) > 0)
