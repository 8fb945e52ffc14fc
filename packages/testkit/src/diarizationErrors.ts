import type { Turn } from "@earmark/core/transcripts"

/** Parts of the speech that count, as shares. */
export interface DiarizationErrors {
  /** The sum of the three: the diarization error rate. */
  readonly rate: number
  readonly missed: number
  readonly falseAlarm: number
  readonly confused: number
  readonly speakers: number
}

const FRAME = 10
const COLLAR = 250
const NOBODY = -1

const labelsOf = (turns: ReadonlyArray<Turn>, frames: number) => {
  const names = [...new Set(turns.map(({ speaker }) => speaker))]
  const labels = new Int16Array(frames).fill(NOBODY)
  for (const { start, end, speaker } of turns) {
    labels.fill(names.indexOf(speaker), Math.round(start / FRAME), Math.round(end / FRAME))
  }
  return { labels, count: names.length }
}

/** The most frames that agree when each reference speaker is one found speaker, and no two the same. */
const bestAgreement = (together: ReadonlyArray<ReadonlyArray<number>>, found: number): number => {
  let reached = new Map<number, number>([[0, 0]])
  for (const row of together) {
    const next = new Map(reached)
    for (const [used, sum] of reached) {
      for (let speaker = 0; speaker < found; speaker++) {
        if ((used >> speaker) & 1) continue
        const key = used | (1 << speaker)
        next.set(key, Math.max(next.get(key) ?? 0, sum + (row[speaker] ?? 0)))
      }
    }
    reached = next
  }
  return Math.max(...reached.values())
}

/** Frames of 10 ms, a quarter of a second around each turn of the reference left out, the best mapping of names. */
export const diarizationErrors = (
  reference: ReadonlyArray<Turn>,
  found: ReadonlyArray<Turn>,
): DiarizationErrors => {
  const end = [...reference, ...found].reduce((last, turn) => Math.max(last, turn.end), 0)
  const frames = Math.ceil(end / FRAME)
  const truth = labelsOf(reference, frames)
  const guess = labelsOf(found, frames)
  const ignored = new Uint8Array(frames)
  for (const edge of reference.flatMap((turn) => [turn.start, turn.end])) {
    ignored.fill(1, Math.max(0, Math.round((edge - COLLAR) / FRAME)), Math.round((edge + COLLAR) / FRAME))
  }
  const together = Array.from({ length: truth.count }, () => Array.from({ length: guess.count }, () => 0))
  let [spoken, missed, falseAlarm, both] = [0, 0, 0, 0]
  for (let frame = 0; frame < frames; frame++) {
    if (ignored[frame] === 1) continue
    const right = truth.labels[frame] ?? NOBODY
    const said = guess.labels[frame] ?? NOBODY
    if (right !== NOBODY) spoken++
    if (right !== NOBODY && said === NOBODY) missed++
    if (right === NOBODY && said !== NOBODY) falseAlarm++
    const row = together[right]
    if (row === undefined || said === NOBODY) continue
    both++
    row[said] = (row[said] ?? 0) + 1
  }
  const confused = both - bestAgreement(together, guess.count)
  const share = (count: number) => count / Math.max(1, spoken)
  return {
    rate: share(missed + falseAlarm + confused),
    missed: share(missed),
    falseAlarm: share(falseAlarm),
    confused: share(confused),
    speakers: guess.count,
  }
}
