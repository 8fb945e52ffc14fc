import { readlink } from "node:fs/promises"
import { dirname, resolve } from "node:path"

const MOST_LINKS = 40

/** Where a path leads when its links are followed; the last one may lead to what is not there yet. */
export const followLinks = async (path: string): Promise<string> => {
  let place = resolve(path)
  for (let count = 0; count < MOST_LINKS; count++) {
    const next = await readlink(place).catch(() => null)
    if (next === null) return place
    place = resolve(dirname(place), next)
  }
  return place
}
