import type { Steps } from "./steps.js"

/** How many voices may be left. */
export interface VoiceCount {
  readonly least: number
  readonly most: number
}

/** How voices are compared: at a distance below zero two are one. */
export interface Kinship<Sums> {
  readonly distance: (one: Sums, other: Sums) => number
  readonly join: (one: Sums, other: Sums) => Sums
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

/** Joins the two most alike again and again, until what is left is distinct, within the count allowed. */
export function* joinAlike<Sums>(
  voices: ReadonlyArray<Sums>,
  { least, most }: VoiceCount,
  kinship: Kinship<Sums>,
): Steps<ReadonlyArray<JoinedVoice<Sums>>> {
  const count = voices.length
  const joined: Array<JoinedVoice<Sums>> = voices.map((sums, index) => ({ sums, members: [index] }))
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

  let left = count
  while (left > least) {
    const into = closest(alive, nearest)
    const from = nearest.places[into] ?? -1
    const one = joined[into]
    const other = joined[from]
    if (one === undefined || other === undefined) break
    if (left <= most && (nearest.distances[into] ?? 0) > 0) break
    const merged = { sums: kinship.join(one.sums, other.sums), members: [...one.members, ...other.members] }
    joined[into] = merged
    alive[from] = 0
    left--
    for (const [index, voice] of joined.entries()) {
      if (alive[index] === 0 || index === into) continue
      const cell = index < into ? index * count + into : into * count + index
      distances[cell] = kinship.distance(merged.sums, voice.sums)
    }
    for (let row = 0; row < count; row++) {
      const place = nearest.places[row]
      const moved = row === into || place === into || place === from
      const maybeCloser = row < into && (distances[row * count + into] ?? 0) < (nearest.distances[row] ?? 0)
      if (alive[row] === 1 && (moved || maybeCloser)) rank(distances, alive, row, nearest)
    }
    yield
  }
  return joined.filter((_, index) => alive[index] === 1)
}
