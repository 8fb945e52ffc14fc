/** Of several transcripts of one recording, those that searches, answers and sites leave out. */
import { editedEntryOf } from "./editsFile.js"
import { type Entry, namesIn, readRecording } from "./entries.js"
import type { Recording } from "./Head.js"

/** What two transcripts of one recording have in common; null where it cannot be known again. */
const recordingOf = ({ again, bytes, job }: Recording): string | null => {
  const { start_at, end_at } = job.options
  const parts = [again.source, again.episode, bytes ?? null, job.duration_seconds, start_at, end_at]
  return again.source === null ? null : JSON.stringify(parts)
}

interface Candidate {
  readonly id: string
  readonly worth: number
}

/**
 * The ids of finished entries that another one of the same recording stands in for: a corrected one before others, then one with
 * speakers, then the newest. Entries come newest first.
 */
export const supersededIn = (folder: string, entries: ReadonlyArray<Entry>): ReadonlySet<string> => {
  const edited = new Set(namesIn(folder).map(editedEntryOf))
  const best = new Map<string, Candidate>()
  const superseded = new Set<string>()
  for (const entry of entries) {
    const head = entry.status === "done" ? readRecording(entry) : null
    const recording = head === null ? null : recordingOf(head)
    if (head === null || recording === null) continue
    const hasSpeakers = head.job.options.diarize || head.again.channels === true
    const worth = (edited.has(entry.id) ? 2 : 0) + (hasSpeakers ? 1 : 0)
    const known = best.get(recording)
    if (known === undefined || worth > known.worth) best.set(recording, { id: entry.id, worth })
    if (known !== undefined) superseded.add(worth > known.worth ? known.id : entry.id)
  }
  return superseded
}
