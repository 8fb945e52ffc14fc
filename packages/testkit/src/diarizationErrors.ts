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
/** Who speaks in a frame is a set of bits. */
const MOST_SPEAKERS = 31

/** Who speaks in each frame: several where turns overlap. */
const speakersByFrame = (turns: ReadonlyArray<Turn>, frames: number) => {
  const names = [...new Set(turns.map(({ speaker }) => speaker))]
  if (names.length > MOST_SPEAKERS) throw new Error(`Cannot score more than ${MOST_SPEAKERS} speakers`)
  const sets = new Int32Array(frames)
  for (const { start, end, speaker } of turns) {
    const bit = 1 << names.indexOf(speaker)
    for (let frame = Math.round(start / FRAME); frame < Math.round(end / FRAME); frame++) {
      sets[frame] = (sets[frame] ?? 0) | bit
    }
  }
  return { sets, count: names.length }
}

const speakersIn = (set: number): ReadonlyArray<number> => {
  const speakers: Array<number> = []
  for (let speaker = 0; speaker < MOST_SPEAKERS; speaker++) if ((set >> speaker) & 1) speakers.push(speaker)
  return speakers
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

/**
 * Frames of 10 ms, the best mapping of names. Where several speak at once, each of them counts. `collar` milliseconds around each
 * edge of the reference are left out, a quarter of a second unless said otherwise.
 */
export const diarizationErrors = (
  reference: ReadonlyArray<Turn>,
  found: ReadonlyArray<Turn>,
  collar: number = COLLAR,
): DiarizationErrors => {
  const end = [...reference, ...found].reduce((last, turn) => Math.max(last, turn.end), 0)
  const frames = Math.ceil(end / FRAME)
  const truth = speakersByFrame(reference, frames)
  const guess = speakersByFrame(found, frames)
  const ignored = new Uint8Array(frames)
  for (const edge of reference.flatMap((turn) => [turn.start, turn.end])) {
    ignored.fill(1, Math.max(0, Math.round((edge - collar) / FRAME)), Math.round((edge + collar) / FRAME))
  }
  const together = Array.from({ length: truth.count }, () => Array.from({ length: guess.count }, () => 0))
  let [spoken, missed, falseAlarm, both] = [0, 0, 0, 0]
  for (let frame = 0; frame < frames; frame++) {
    if (ignored[frame] === 1) continue
    const right = speakersIn(truth.sets[frame] ?? 0)
    const said = speakersIn(guess.sets[frame] ?? 0)
    spoken += right.length
    missed += Math.max(0, right.length - said.length)
    falseAlarm += Math.max(0, said.length - right.length)
    both += Math.min(right.length, said.length)
    for (const speaker of right) {
      const row = together[speaker] ?? []
      for (const other of said) row[other] = (row[other] ?? 0) + 1
    }
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
