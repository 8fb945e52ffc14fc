import * as Either from "effect/Either"
import { printable, stampPrinter } from "../captions/timestamps.js"
import { cleanText } from "../text/cleanText.js"
import { counted } from "../text/counted.js"
import type { Segment, Transcript } from "../transcripts/Transcript.js"
import { applyEdits } from "./applyEdits.js"
import { EditableRefused } from "./EditableRefused.js"
import { type EditOperation, MOST_OPERATIONS } from "./EditOperation.js"
import { type EditableLine, readEditableLines, type Times } from "./editableLines.js"
import { type Group, groupLines } from "./groupLines.js"
import { type Keys, pairLines } from "./pairLines.js"
import { holdsAll, keepOnly, regroup } from "./regroup.js"
import { speakerChanges } from "./speakerChanges.js"

/** An operation, and the line of the file that asks for it. */
interface Change {
  readonly operation: EditOperation
  readonly number: number
}

/** The lines as joining and splitting left them, one for each line of the file. */
interface Rebuilt {
  readonly changes: ReadonlyArray<Change>
  readonly lines: ReadonlyArray<Segment>
  /** The times that the file asks for; null where they follow the words. */
  readonly times: ReadonlyArray<Times | null>
}

const refused = (line: number | null, detail: string) => new EditableRefused({ line, detail })

const tooMany = (count: string) =>
  refused(
    null,
    `The file has ${count}; one revision may have ${counted(MOST_OPERATIONS, "change")}. Make them in several steps.`,
  )

/** No operation changes more lines than a split or a merge: one that stays, and one that comes or goes. */
const MOST_CHANGED_LINES = 2 * MOST_OPERATIONS

const timesOf = ({ start, end }: Segment): Times => ({ start: printable(start), end: printable(end) })

const isSame = (left: Times, right: Times | null): boolean =>
  right !== null && left.start === right.start && left.end === right.end

const stampOf = (times: Times | null): string => (times === null ? "+" : `${times.start} ${times.end}`)

/** A line is known by its times and its text, else by its text, else by its times. */
const rulesOf = (
  before: ReadonlyArray<Segment>,
  texts: ReadonlyArray<string>,
  after: ReadonlyArray<EditableLine>,
): ReadonlyArray<Keys> => {
  const stamps = before.map((line) => stampOf(timesOf(line)))
  const newStamps = after.map(({ times }) => stampOf(times))
  const newTexts = after.map(({ text }) => text)
  const both = (first: ReadonlyArray<string>, second: ReadonlyArray<string>) =>
    first.map((key, at) => `${key} ${second[at]}`)
  return [
    [both(stamps, texts), both(newStamps, newTexts)],
    [texts, newTexts],
    [stamps, newStamps],
  ]
}

/** What is left of a line whose text was deleted is no line, unless it never had any. */
const withoutDeleted = (lines: ReadonlyArray<EditableLine>, before: ReadonlyArray<Segment>) => {
  const empty = new Set(
    before.filter(({ text }) => cleanText(text) === "").map((line) => stampOf(timesOf(line))),
  )
  return lines.filter(({ text, times }) => text !== "" || empty.has(stampOf(times)))
}

/** The line that is left where the lines around it were deleted, not joined with it; -1 where there is none. */
const leftOf = (before: ReadonlyArray<Segment>, [line, other]: ReadonlyArray<EditableLine>): number => {
  if (line === undefined || other !== undefined || before.length === 1) return -1
  const isOwn = (each: Segment) => isSame(timesOf(each), line.times)
  const same = before.findIndex((each) => isOwn(each) && cleanText(each.text) === line.text)
  const own = same < 0 ? before.findIndex(isOwn) : same
  return own < 0 || holdsAll(before, own, line.text) ? -1 : own
}

/** The times of a line that was joined with others, or split: those that it had before say nothing of it. */
const timesIn = (lines: ReadonlyArray<EditableLine>, before: ReadonlyArray<Segment>): Rebuilt["times"] =>
  lines.map(({ times, text }, at) => {
    const own = before.findIndex((line) => isSame(timesOf(line), times))
    if (times === null || own < 0) return times
    if (lines.length > 1) return lines[at + 1]?.times === null ? null : times
    return before.length > 1 && holdsAll(before, own, text) ? null : times
  })

/** Joins and splits lines, the last ones first: so the lines before them count as they did. */
const rebuild = (
  before: ReadonlyArray<Segment>,
  after: ReadonlyArray<EditableLine>,
  groups: ReadonlyArray<Group>,
): Either.Either<Rebuilt, EditableRefused> => {
  const changes: Array<Change> = []
  const parts: Array<Rebuilt["lines"]> = []
  const times: Array<Rebuilt["times"]> = []
  let behind: ReadonlyArray<Segment> = []
  for (const group of groups.toReversed()) {
    const lines = before.slice(...group.before)
    const edited = after.slice(...group.after)
    const number = edited[0]?.number ?? 1
    const count = changes.length + lines.length + edited.length - 2
    if (count > MOST_OPERATIONS) return Either.left(tooMany(counted(count, "change")))
    const texts = edited.map(({ text }) => text)
    const left = leftOf(lines, edited)
    const made = left < 0 ? regroup(lines, texts, behind) : Either.right(keepOnly(lines, left))
    if (Either.isLeft(made))
      return Either.left(refused(number, "This line cannot be split like that. Split it between two words."))
    for (const operation of made.right.operations)
      changes.push({
        operation: "line" in operation ? { ...operation, line: group.before[0] + operation.line } : operation,
        number,
      })
    parts.push(made.right.lines)
    times.push(timesIn(edited, lines))
    behind = made.right.lines.slice(0, 1)
  }
  return Either.right({ changes, lines: parts.reverse().flat(), times: times.reverse().flat() })
}

const stamp = stampPrinter(".")

/** Lines that move later go from the last to the first, then the others from the first to the last: so none ever passes its neighbour. */
const timeChanges = (
  { lines, times }: Rebuilt,
  after: ReadonlyArray<EditableLine>,
  duration: number,
): Either.Either<ReadonlyArray<Change>, EditableRefused> => {
  const later: Array<Change> = []
  const others: Array<Change> = []
  const startAt = (at: number): number | undefined => {
    const line = lines[at]
    return line === undefined ? undefined : (times[at]?.start ?? line.start)
  }
  for (const [at, line] of lines.entries()) {
    const wanted = times[at]
    const number = after[at]?.number ?? 1
    if (wanted === undefined || wanted === null || isSame(timesOf(line), wanted)) continue
    const { start, end } = wanted
    if (start >= end)
      return Either.left(refused(number, `The line ends at ${stamp(end)}, not after its start.`))
    if (end > Math.max(duration, line.end))
      return Either.left(refused(number, `The recording ends before ${stamp(end)}, at ${stamp(duration)}.`))
    if (start < (startAt(at - 1) ?? 0))
      return Either.left(refused(number, `The line starts at ${stamp(start)}, before the line above it.`))
    if (start > (startAt(at + 1) ?? start))
      return Either.left(refused(number, `The line starts at ${stamp(start)}, after the line below it.`))
    const change: Change = { operation: { type: "times", line: at, start, end }, number }
    if (start > line.start) later.push(change)
    else others.push(change)
  }
  return Either.right([...later.reverse(), ...others])
}

const textChanges = ({ lines }: Rebuilt, after: ReadonlyArray<EditableLine>): ReadonlyArray<Change> =>
  after.flatMap(
    ({ text, number }, line): ReadonlyArray<Change> =>
      text === cleanText(lines[line]?.text ?? "")
        ? []
        : [{ operation: { type: "text", line, text }, number }],
  )

/** All of them, or why the first one that fails cannot be done. */
const checked = (
  transcript: Transcript,
  changes: ReadonlyArray<Change>,
): Either.Either<ReadonlyArray<EditOperation>, EditableRefused> => {
  const operations = changes.map(({ operation }) => operation)
  if (operations.length > MOST_OPERATIONS) return Either.left(tooMany(counted(operations.length, "change")))
  return Either.mapBoth(applyEdits(transcript, operations), {
    onLeft: ({ operation, detail }) => refused(changes[operation ?? -1]?.number ?? null, detail),
    onRight: () => operations,
  })
}

/** What was changed in a file that `writeEditable` made of the transcript, in few operations, or the first line that cannot be understood. */
export const readEdited = (
  file: string,
  transcript: Transcript,
): Either.Either<ReadonlyArray<EditOperation>, EditableRefused> => {
  const { segments, duration } = transcript
  const texts = segments.map(({ text }) => cleanText(text))
  const known = new Set([...texts, ...segments.map(({ speaker }) => cleanText(speaker ?? ""))])
  const read = readEditableLines(file, (kept) => known.has(kept))
  if (Either.isLeft(read)) return Either.left(read.left)
  const after = withoutDeleted(read.right, segments)
  const [first] = after
  if (first === undefined)
    return segments.length === 0
      ? Either.right([])
      : Either.left(refused(null, "The file has no lines. A transcript keeps at least one."))
  if (segments.length === 0)
    return Either.left(refused(first.number, "The transcript has no lines, and none can be added."))
  const added = Math.abs(after.length - segments.length)
  if (added > MOST_OPERATIONS) return Either.left(tooMany(counted(added, "change")))
  const pairs = pairLines(rulesOf(segments, texts, after), MOST_CHANGED_LINES)
  if (Either.isLeft(pairs)) return Either.left(tooMany(`more than ${counted(MOST_OPERATIONS, "change")}`))
  const groups = groupLines(
    texts,
    after.map(({ text }) => text),
    pairs.right,
  )
  const rebuilt = rebuild(segments, after, groups)
  if (Either.isLeft(rebuilt)) return Either.left(rebuilt.left)
  const moved = timeChanges(rebuilt.right, after, duration)
  if (Either.isLeft(moved)) return Either.left(moved.left)
  const speakers = speakerChanges(
    rebuilt.right.lines.map(({ speaker }) => speaker),
    after.map(({ speaker }) => speaker),
  ).map(({ operation, line }): Change => ({ operation, number: after[line]?.number ?? 1 }))
  return checked(transcript, [
    ...rebuilt.right.changes,
    ...moved.right,
    ...textChanges(rebuilt.right, after),
    ...speakers,
  ])
}
