import * as Either from "effect/Either"
import { cleanText } from "../text/cleanText.js"
import { counted } from "../text/counted.js"
import type { Segment, Transcript, Word } from "../transcripts/Transcript.js"
import {
  type EditOperation,
  LONGEST_LINE,
  LONGEST_SPEAKER,
  MOST_OPERATIONS,
  MOST_WORK,
} from "./EditOperation.js"
import { EditRefused } from "./EditRefused.js"
import { realignWords } from "./realignWords.js"
import { mergeLines, splitLine } from "./splitLine.js"

type Refusal = Pick<EditRefused, "reason" | "detail">

const refuse = (reason: Refusal["reason"], detail: string): Refusal => ({ reason, detail })

const spokenBy = (line: Segment, speaker: string | null): Segment =>
  line.speaker === speaker
    ? line
    : { ...line, speaker, words: line.words.map((word) => ({ ...word, speaker })), edited: true }

const isSpeaker = (name: string): boolean =>
  name !== "" && name.length <= LONGEST_SPEAKER && cleanText(name) === name

const invalidSpeaker = refuse(
  "invalid_speaker",
  `A speaker needs a name of 1 to ${LONGEST_SPEAKER} characters, without line breaks or spaces around it.`,
)

const withText = (line: Segment, given: string): Segment | Refusal => {
  const text = cleanText(given)
  if (text === "")
    return refuse("invalid_text", "The text is empty. Remove the line, or merge it with its neighbour.")
  if (text.length > LONGEST_LINE)
    return refuse(
      "invalid_text",
      `The text has ${counted(text.length, "character")}; a line may have ${counted(LONGEST_LINE, "character")}.`,
    )
  return text === line.text ? line : { ...line, text, words: realignWords(line, text), edited: true }
}

/** Words stay where they are as far as the line reaches; where that would leave a word no time, all are moved in proportion. */
const wordsWithin = (line: Segment, start: number, end: number): ReadonlyArray<Word> => {
  const bounded = (time: number) => Math.min(Math.max(time, start), end)
  const clamped = line.words.map((word) => ({ ...word, start: bounded(word.start), end: bounded(word.end) }))
  if (clamped.every((word, at) => word.end > word.start || line.words[at]?.end === line.words[at]?.start))
    return clamped
  const length = Math.max(1, line.end - line.start)
  const moved = (time: number) => bounded(start + Math.round(((time - line.start) * (end - start)) / length))
  return line.words.map((word) => ({ ...word, start: moved(word.start), end: moved(word.end) }))
}

/** One list of operations at work: the lines as the operations so far left them. */
class Editing {
  readonly lines: Array<Segment>
  readonly duration: number

  constructor(
    transcript: Transcript,
    private readonly work: Work,
  ) {
    this.lines = [...transcript.segments]
    this.duration = transcript.duration
  }

  apply(operation: EditOperation): Refusal | undefined {
    if (!this.work.spend(this.workOf(operation))) return tooMuchWork
    if (operation.type === "rename_speaker") return this.rename(operation.from, operation.to)
    if (operation.type === "merge_speakers") return this.mergeSpeakers(operation.from, operation.into)
    const line = this.lines[operation.line]
    if (line === undefined)
      return refuse(
        "unknown_line",
        `There is no line ${operation.line}; the transcript has ${counted(this.lines.length, "line")}, counted from 0.`,
      )
    const changed = this.changed(line, operation)
    if ("reason" in changed) return changed
    const { taken, lines } = changed
    if (lines.length === 1 && taken === 1 && lines[0] !== undefined) this.lines[operation.line] = lines[0]
    else this.lines.splice(operation.line, taken, ...lines)
    return undefined
  }

  private workOf(operation: EditOperation): number {
    if ("from" in operation) return SPEAKER_WORK * this.lines.length
    const length = this.lines[operation.line]?.text.length ?? 0
    return length + (operation.type === "text" ? operation.text.length : 0)
  }

  private changed(
    line: Segment,
    operation: Exclude<EditOperation, { readonly from: string }>,
  ): { readonly taken: number; readonly lines: ReadonlyArray<Segment> } | Refusal {
    const one = (changed: Segment | Refusal) =>
      "reason" in changed ? changed : { taken: 1, lines: [changed] }
    switch (operation.type) {
      case "text":
        return one(withText(line, operation.text))
      case "speaker":
        if (operation.speaker !== null && !isSpeaker(operation.speaker)) return invalidSpeaker
        return one(spokenBy(line, operation.speaker))
      case "times":
        return one(this.timed(line, operation))
      case "split": {
        const lines = splitLine(line, operation.at, this.lines[operation.line + 1]?.start ?? line.end)
        if (lines === undefined)
          return refuse(
            "invalid_split",
            `Line ${operation.line} cannot be split at character ${operation.at}. Split it between two words.`,
          )
        return { taken: 1, lines }
      }
      case "merge": {
        const next = this.lines[operation.line + 1]
        if (next === undefined)
          return refuse(
            "unknown_line",
            `Line ${operation.line} is the last one; there is no line to merge it with.`,
          )
        const length = line.text.length + next.text.length
        if (length >= LONGEST_LINE)
          return refuse(
            "invalid_text",
            `The merged line would have ${counted(length, "character")}; a line may have ${counted(LONGEST_LINE, "character")}.`,
          )
        return { taken: 2, lines: [mergeLines(line, next)] }
      }
      case "remove":
        return this.lines.length === 1 ? lastLine : { taken: 1, lines: [] }
    }
  }

  private timed(
    line: Segment,
    { line: at, start, end }: { readonly line: number; readonly start: number; readonly end: number },
  ): Segment | Refusal {
    const earliest = this.lines[at - 1]?.start ?? 0
    const latest = this.lines[at + 1]?.start ?? this.duration
    const isWhole = Number.isInteger(start) && Number.isInteger(end)
    if (!isWhole || start >= end || end > Math.max(this.duration, line.end))
      return refuse(
        "invalid_times",
        `A line must end after its start and within the media, not run from ${start} to ${end} ms.`,
      )
    if (start < earliest || start > latest)
      return refuse(
        "invalid_times",
        `Line ${at} must start between its neighbours, from ${earliest} to ${latest} ms, not at ${start} ms.`,
      )
    if (start === line.start && end === line.end) return line
    return { ...line, start, end, words: wordsWithin(line, start, end), edited: true }
  }

  private rename(from: string, to: string): Refusal | undefined {
    if (!isSpeaker(to)) return invalidSpeaker
    if (from !== to && this.lines.some((line) => line.speaker === to))
      return refuse("invalid_speaker", `"${to}" is another speaker. Use merge_speakers to make them one.`)
    return this.give(from, to)
  }

  private mergeSpeakers(from: string, into: string): Refusal | undefined {
    if (!this.lines.some((line) => line.speaker === into)) return unknownSpeaker(into)
    return this.give(from, into)
  }

  private give(from: string, to: string): Refusal | undefined {
    let isKnown = false
    for (const [at, line] of this.lines.entries()) {
      if (line.speaker !== from) continue
      isKnown = true
      this.lines[at] = spokenBy(line, to)
    }
    return isKnown ? undefined : unknownSpeaker(from)
  }
}

/** Each word of a line has its speaker, so a change of one takes longer than its lines tell. */
const SPEAKER_WORK = 4

/** What is left of the work that all corrections of a transcript may be. */
export class Work {
  private left = MOST_WORK

  /** Whether there was enough left. */
  spend(amount: number): boolean {
    this.left -= amount
    return this.left >= 0
  }
}

export const tooMuchWork = refuse(
  "too_many_operations",
  "The corrections of this transcript would take too long to apply. Change fewer or shorter lines.",
)

export const lastLine = refuse("last_line", "Cannot remove the only line. A transcript keeps at least one.")

const unknownSpeaker = (name: string): Refusal =>
  refuse("unknown_speaker", `No line is spoken by "${name.slice(0, LONGEST_SPEAKER)}".`)

/** The transcript with all the operations applied in order, or the first reason why not. Lines that stay are the same objects. */
export const applyEdits = (
  transcript: Transcript,
  operations: ReadonlyArray<EditOperation>,
  work: Work = new Work(),
): Either.Either<Transcript, EditRefused> => {
  if (operations.length > MOST_OPERATIONS)
    return Either.left(
      new EditRefused({
        ...refuse(
          "too_many_operations",
          `${counted(operations.length, "operation")} are too many for one revision; send at most ${counted(MOST_OPERATIONS, "operation")} at a time.`,
        ),
        operation: null,
      }),
    )
  const editing = new Editing(transcript, work)
  for (const [at, operation] of operations.entries()) {
    const refusal = editing.apply(operation)
    if (refusal !== undefined) return Either.left(new EditRefused({ ...refusal, operation: at }))
  }
  return Either.right({ ...transcript, segments: editing.lines })
}
