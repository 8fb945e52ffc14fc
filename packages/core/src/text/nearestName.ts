const LONGEST_NAME = 64

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_\-\s]/g, "")

/** How many letters must be put in, left out, replaced or swapped with their neighbour. */
const editDistance = (from: string, to: string): number => {
  let beforeLast: Array<number> = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      }
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

const at = (row: ReadonlyArray<number>, column: number): number => row[column] ?? Number.POSITIVE_INFINITY

/**
 * The known name that an unknown one was probably meant to be: at most a third of its letters differ.
 * Case, underscores and hyphens do not count. Names of more than 64 characters are like nothing.
 */
export const nearestName = (unknown: string, known: ReadonlyArray<string>): string | undefined => {
  if (unknown.length > LONGEST_NAME) return undefined
  const wanted = plain(unknown)
  let best: string | undefined
  let least = Math.min(3, Math.max(1, Math.floor(wanted.length / 3))) + 1
  for (const name of known) {
    const candidate = plain(name)
    if (Math.abs(candidate.length - wanted.length) >= least) continue
    const distance = editDistance(wanted, candidate)
    if (distance < least) {
      least = distance
      best = name
    }
  }
  return best
}

/** ` Did you mean x?`, or nothing. `written` is how a name is written in the sentence. */
export const suggestion = (
  given: string,
  known: ReadonlyArray<string>,
  written = (name: string): string => name,
): string => {
  const name = nearestName(given, known)
  return name === undefined ? "" : ` Did you mean ${written(name)}?`
}
