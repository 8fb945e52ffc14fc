import { cleanText } from "../text/cleanText.js"
import type { EditOperation } from "./EditOperation.js"

/** An operation, and the first line that asks for it. */
export interface SpeakerChange {
  readonly operation: EditOperation
  readonly line: number
}

type Speakers = ReadonlyArray<string | null>

const isSame = (before: string | null, after: string | null): boolean =>
  before === after || (before !== null && after !== null && cleanText(before) === after)

/** The one name that all lines of a speaker get; null where they get several, or where only one line has this speaker. */
const newNameOf = (speaker: string, before: Speakers, after: Speakers): string | null => {
  let [name, count]: [string | null, number] = [null, 0]
  for (const [at, each] of before.entries()) {
    if (each !== speaker) continue
    const given = after[at] ?? null
    if (given === null || (count > 0 && given !== name)) return null
    name = given
    count += 1
  }
  return count > 1 ? name : null
}

/** What gives each line the speaker that it has after: one operation for all lines of a speaker where that will do. */
export const speakerChanges = (before: Speakers, after: Speakers): ReadonlyArray<SpeakerChange> => {
  const now = [...before]
  const changes: Array<SpeakerChange> = []
  for (const from of new Set(before)) {
    const to = from === null ? null : newNameOf(from, now, after)
    if (from === null || to === null || isSame(from, to)) continue
    changes.push({
      operation: now.includes(to)
        ? { type: "merge_speakers", from, into: to }
        : { type: "rename_speaker", from, to },
      line: now.indexOf(from),
    })
    for (const [at, each] of now.entries()) if (each === from) now[at] = to
  }
  for (const [line, speaker] of after.entries())
    if (!isSame(now[line] ?? null, speaker))
      changes.push({ operation: { type: "speaker", line, speaker }, line })
  return changes
}
