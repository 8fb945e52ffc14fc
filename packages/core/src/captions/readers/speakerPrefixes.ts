import type { Cue } from "../../transcripts/Transcript.js"

const MAX_NAME = 40
const LEAST_USES = 3
const LEAST_NAMES = 2

/** A name and a colon; a dot only after a short title such as `Dr.`, so a sentence is no name. */
const PREFIX = /^((?:\p{Lu}\p{L}{0,3}\. ?)*[\p{L}\p{N}][^:.?!,;<>()"]*):\s+(?=\S)/u

const prefixOf = (line: string): { readonly name: string; readonly length: number } | null => {
  const colon = line.indexOf(":")
  if (colon < 1 || colon > MAX_NAME) return null
  const match = PREFIX.exec(line)
  const name = match?.[1]?.trim()
  return match === null || name === undefined || name === "" ? null : { name, length: match[0].length }
}

/**
 * Formats without a field for the speaker write `Name: ` into the text. That is believed only when at least two names
 * come back at least three times each; then a cue without a prefix goes on with the speaker before it.
 */
export const withSpeakersFromPrefixes = (cues: Array<Cue>): Array<Cue> => {
  if (cues.some((cue) => cue.speaker !== null)) return cues
  const uses = new Map<string, number>()
  for (const cue of cues) {
    const prefix = prefixOf(cue.lines[0] ?? "")
    if (prefix !== null) uses.set(prefix.name, (uses.get(prefix.name) ?? 0) + 1)
  }
  const names = new Set([...uses].filter(([, count]) => count >= LEAST_USES).map(([name]) => name))
  if (names.size < LEAST_NAMES) return cues
  let speaker: string | null = null
  return cues.map((cue) => {
    const [first = "", ...rest] = cue.lines
    const prefix = prefixOf(first)
    if (prefix === null || !names.has(prefix.name)) return { ...cue, speaker, words: spokenBy(cue, speaker) }
    speaker = prefix.name
    const words = withoutPrefix(spokenBy(cue, speaker), `${first.slice(0, prefix.length).trim()}`)
    return { ...cue, speaker, lines: [first.slice(prefix.length), ...rest], words }
  })
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
