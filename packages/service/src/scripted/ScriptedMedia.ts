/** What an address says about the media behind it: the scripted world is written in query strings. */
import type { CaptionOffer, ResolvedSource } from "../ports/SourceResolver.js"
import { shareOf } from "./chance.js"

const LONGEST_BY_CHANCE = 300
const SHORTEST = 20

const parametersOf = (address: string): URLSearchParams => {
  const question = address.indexOf("?")
  return new URLSearchParams(question < 0 ? "" : address.slice(question + 1))
}

/** The length that the media really has: `?seconds=90`, else by chance. */
export const secondsOf = (address: string): number => {
  const given = Number(parametersOf(address).get("seconds") ?? Number.NaN)
  return given > 0 ? given : SHORTEST + Math.floor(shareOf(address) * LONGEST_BY_CHANCE)
}

/** A word about the media, such as `silent`, `private`, `unknown` (length). */
export const says = (address: string, word: string): boolean => parametersOf(address).has(word)

export const valueIn = (address: string, name: string): string | null => parametersOf(address).get(name)

/** `?captions=people` or `?captions=machine`. */
const captionsOf = (address: string): ReadonlyArray<CaptionOffer> => {
  const madeBy = valueIn(address, "captions")
  const language = valueIn(address, "language") ?? "en"
  return madeBy === "people" || madeBy === "machine" ? [{ url: `${address}&as=vtt`, language, madeBy }] : []
}

/** A source behind an address, as a resolver would find it. */
export const mediaBehind = (address: string, shown: ResolvedSource["shown"]): ResolvedSource => ({
  shown,
  title: valueIn(address, "title"),
  mediaUrl: address,
  identity: address,
  isPublic: !says(address, "private"),
  durationSeconds: says(address, "unknown") ? null : secondsOf(address),
  language: valueIn(address, "language"),
  captions: captionsOf(address),
})
