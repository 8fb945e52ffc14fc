import type { Steps } from "../audio/steps.js"

/** How many speakers may be left. */
export interface VoiceCount {
  readonly least: number
  readonly most: number
}

/** How voices are compared: at a distance below zero two are one. */
export interface Kinship<Sums> {
  readonly distance: (one: Sums, other: Sums) => number
  readonly join: (one: Sums, other: Sums) => Sums
  /** Whether enough was said for a speaker. */
  readonly isSpeaker: (voice: Sums) => boolean
}

/** Voices that are one, with the places of its parts in what was given. */
export interface JoinedVoice<Sums> {
  readonly sums: Sums
  readonly members: ReadonlyArray<number>
}

/** For each voice the one after it that is most like it. */
interface Nearest {
  readonly places: Int32Array
  readonly distances: Float64Array
}

const rank = (
  distances: Float64Array,
  alive: Uint8Array,
  row: number,
  { places, distances: best }: Nearest,
) => {
  const count = alive.length
  let place = -1
  let least = Number.POSITIVE_INFINITY
  for (let other = row + 1; other < count; other++) {
    const distance = distances[row * count + other] ?? 0
    if (alive[other] === 1 && distance < least) {
      least = distance
      place = other
    }
  }
  places[row] = place
  best[row] = least
}

const closest = (alive: Uint8Array, { distances }: Nearest): number => {
  let row = -1
  let least = Number.POSITIVE_INFINITY
  for (let index = 0; index < alive.length; index++) {
    const distance = distances[index] ?? 0
    if (alive[index] === 1 && distance < least) {
      least = distance
      row = index
    }
  }
  return row
}

/** Two voices that were joined, by their places. */
interface Merge {
  readonly into: number
  readonly from: number
}

/** How many merges are done: until what is left is distinct, and then as the count of speakers wants it. */
const levelOf = (speakers: ReadonlyArray<number>, distinct: number, { least, most }: VoiceCount): number => {
  const heard = speakers[distinct] ?? 0
  if (heard > most) return speakers.findIndex((count, level) => level > distinct && count <= most)
  if (heard >= least) return distinct
  // The last level at which as many are heard as can be.
  return speakers.lastIndexOf(speakers.reduce((best, count) => Math.max(best, Math.min(count, least)), 0))
}

/**
 * Joins the two most alike again and again, until what is left is distinct. Where that leaves fewer or more speakers than allowed, joining
 * ends earlier or later.
 */
export function* joinAlike<Sums>(
  voices: ReadonlyArray<Sums>,
  allowed: VoiceCount,
  kinship: Kinship<Sums>,
): Steps<ReadonlyArray<JoinedVoice<Sums>>> {
  const count = voices.length
  const sums = [...voices]
  const alive = new Uint8Array(count).fill(1)
  const distances = new Float64Array(count * count)
  const nearest: Nearest = { places: new Int32Array(count), distances: new Float64Array(count) }
  for (const [row, one] of voices.entries()) {
    for (const [column, other] of voices.entries()) {
      if (column > row) distances[row * count + column] = kinship.distance(one, other)
    }
    yield
  }
  for (let row = 0; row < count; row++) rank(distances, alive, row, nearest)

  const merges: Array<Merge> = []
  const speakers = [voices.filter(kinship.isSpeaker).length]
  let distinct = -1
  for (;;) {
    const into = closest(alive, nearest)
    const from = nearest.places[into] ?? -1
    const one = sums[into]
    const other = sums[from]
    const left = speakers.at(-1) ?? 0
    if (distinct < 0 && (other === undefined || (nearest.distances[into] ?? 0) > 0)) distinct = merges.length
    if (one === undefined || other === undefined) break
    if (distinct >= 0 && left <= allowed.most && (speakers[distinct] ?? 0) >= allowed.least) break
    const merged = kinship.join(one, other)
    merges.push({ into, from })
    const gone = Number(kinship.isSpeaker(one)) + Number(kinship.isSpeaker(other))
    speakers.push(left - gone + Number(kinship.isSpeaker(merged)))
    sums[into] = merged
    alive[from] = 0
    for (const [index, voice] of sums.entries()) {
      if (alive[index] === 0 || index === into) continue
      const cell = index < into ? index * count + into : into * count + index
      distances[cell] = kinship.distance(merged, voice)
    }
    for (let row = 0; row < count; row++) {
      const place = nearest.places[row]
      const moved = row === into || place === into || place === from
      const maybeCloser = row < into && (distances[row * count + into] ?? 0) < (nearest.distances[row] ?? 0)
      if (alive[row] === 1 && (moved || maybeCloser)) rank(distances, alive, row, nearest)
    }
    yield
  }
  const joined: Array<JoinedVoice<Sums> | undefined> = voices.map((own, index) => ({
    sums: own,
    members: [index],
  }))
  for (const { into, from } of merges.slice(0, levelOf(speakers, distinct, allowed))) {
    const one = joined[into]
    const other = joined[from]
    if (one === undefined || other === undefined) continue
    joined[into] = { sums: kinship.join(one.sums, other.sums), members: [...one.members, ...other.members] }
    joined[from] = undefined
  }
  return joined.filter((voice) => voice !== undefined)
}
