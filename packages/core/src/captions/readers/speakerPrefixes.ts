import type { InTurns } from "../../text/inTurns.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN } from "../CaptionFile.js"

const MAX_NAME = 40
const LEAST_USES = 3
const LEAST_NAMES = 2

/** A name and a colon; a dot only after a short title such as `Dr.`, so a sentence is no name. */
const PREFIX = /^((?:\p{Lu}\p{L}{0,3}\. ?)*[\p{L}\p{N}][^:.?!,;<>()"]*):\s+(?=\S)/u

/** The name that a cue begins with; it may stand on a line of its own where the text of its turn did not fit behind it. */
const prefixOf = ({ lines }: Cue): { readonly name: string; readonly length: number } | null => {
  const [first = "", second] = lines
  const colon = first.indexOf(":")
  if (colon < 1 || colon > MAX_NAME) return null
  const line = second !== undefined && colon === first.length - 1 ? `${first} ${second}` : first
  const match = PREFIX.exec(line)
  const name = match?.[1]?.trim()
  return match === null || name === undefined || name === "" ? null : { name, length: match[0].length }
}

/** What is believed to be called by name in a short talk: words with capitals or digits, three at most. */
const CALLED = /^[\p{Lu}\p{Lo}\p{N}][^\s]*(?: [\p{Lu}\p{Lo}\p{N}][^\s]*){0,2}$/u
const LABEL = /^Speaker \d+$/

/**
 * Whether the names of a file that is too short for names to come back are believed: the first cue has one, half of all do, and there are
 * two of them. Labels of Earmark are, in any case.
 */
const areCalled = (cues: ReadonlyArray<Cue>, uses: ReadonlyMap<string, number>): boolean => {
  const names = [...uses.keys()]
  if (cues[0] === undefined || prefixOf(cues[0]) === null) return false
  if (names.every((name) => LABEL.test(name))) return true
  const prefixed = [...uses.values()].reduce((sum, count) => sum + count, 0)
  return (
    names.length >= LEAST_NAMES && prefixed * 2 >= cues.length && names.every((name) => CALLED.test(name))
  )
}

/** How often each name stands before a line. */
function* usesOf(cues: ReadonlyArray<Cue>): InTurns<ReadonlyMap<string, number>> {
  const uses = new Map<string, number>()
  for (const [index, cue] of cues.entries()) {
    if (index % BLOCKS_IN_A_TURN === 0) yield
    const prefix = prefixOf(cue)
    if (prefix !== null) uses.set(prefix.name, (uses.get(prefix.name) ?? 0) + 1)
  }
  return uses
}

/**
 * Formats without a field for the speaker write `Name: ` into the text. That is believed when at least two names come
 * back at least three times each, or of a short talk (`areCalled`); then a cue without a prefix goes on with the speaker before it.
 */
export function* withSpeakersFromPrefixes(cues: Array<Cue>): InTurns<Array<Cue>> {
  if (cues.some((cue) => cue.speaker !== null)) return cues
  const uses = yield* usesOf(cues)
  const often = [...uses].filter(([, count]) => count >= LEAST_USES).map(([name]) => name)
  if (often.length < LEAST_NAMES && !areCalled(cues, uses)) return cues
  const names = new Set(often.length < LEAST_NAMES ? uses.keys() : often)
  const spoken: Array<Cue> = []
  let speaker: string | null = null
  for (const [index, cue] of cues.entries()) {
    if (index % BLOCKS_IN_A_TURN === 0) yield
    const [first = "", ...rest] = cue.lines
    const prefix = prefixOf(cue)
    if (prefix === null || !names.has(prefix.name)) {
      spoken.push({ ...cue, speaker, words: spokenBy(cue, speaker) })
      continue
    }
    speaker = prefix.name
    const words = withoutPrefix(spokenBy(cue, speaker), `${first.slice(0, prefix.length).trim()}`)
    const behind = first.slice(prefix.length)
    spoken.push({ ...cue, speaker, lines: behind === "" ? rest : [behind, ...rest], words })
  }
  return spoken
}

const spokenBy = (cue: Cue, speaker: string | null) => cue.words.map((word) => ({ ...word, speaker }))

/** Words of the prefix were never spoken. */
const withoutPrefix = (words: Cue["words"], prefix: string): Cue["words"] => {
  let read = ""
  for (const [index, word] of words.entries()) {
    if (read === prefix) return words.slice(index)
    read = read === "" ? word.text : `${read} ${word.text}`
    if (!prefix.startsWith(read)) return words
  }
  return read === prefix ? [] : words
}
