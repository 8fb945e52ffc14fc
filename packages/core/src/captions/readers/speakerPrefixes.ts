import type { InTurns } from "../../text/inTurns.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN } from "../CaptionFile.js"

const MAX_NAME = 80
const LEAST_USES = 3
const LEAST_NAMES = 2

/** A name and a colon; a dot only after a short title such as `Dr.`, so a sentence is no name. */
const PREFIX = /^((?:\p{Lu}\p{L}{0,3}\. ?)*[\p{L}\p{N}][^:.?!;<>"]*):\s+(?=\S)/u
/** Where a role may begin that stands behind a name. */
const ROLE_MARK = /[(),]/
/** A role after a comma, in brackets, or both. */
const ROLE = /^(?:,[^(),]+)?(?:\([^()]*\))?$/

interface Prefix {
  readonly name: string
  /** Where the name ends and its role begins; the length of the name when it has none. */
  readonly roleAt: number
  readonly length: number
}

/** The name that a cue begins with; it may stand on a line of its own where the text of its turn did not fit behind it. */
const prefixOf = ({ lines }: Cue): Prefix | null => {
  const first = lines[0] ?? ""
  const colon = first.indexOf(":")
  if (colon < 1 || colon > MAX_NAME) return null
  const second = lines[1]
  const line = second !== undefined && colon === first.length - 1 ? `${first} ${second}` : first
  const match = PREFIX.exec(line)
  const name = match?.[1]?.trim()
  if (match === null || name === undefined || name === "") return null
  const mark = name.search(ROLE_MARK)
  if (mark >= 0 && !ROLE.test(name.slice(mark))) return null
  return { name, roleAt: mark < 0 ? name.length : mark, length: match[0].length }
}

/** What is believed to be called by name in a short talk: words with capitals or digits, three at most. */
const CALLED = /^[\p{Lu}\p{Lo}\p{N}][^\s]*(?: [\p{Lu}\p{Lo}\p{N}][^\s]*){0,2}$/u
const LABEL = /^Speaker \d+$/

interface Use {
  readonly prefix: Prefix
  readonly first: number
  count: number
}

const isCalled = ({ name, roleAt }: Prefix): boolean => CALLED.test(name.slice(0, roleAt).trim())

/**
 * Whether a name may be one in a short talk. With a comma, prose looks the same ("Well, listen: ..."): such a name must come back,
 * begin the talk, or stand where every cue has a name.
 */
const mayBeCalled = ({ prefix, first, count }: Use, allHaveNames: boolean): boolean => {
  if (prefix.roleAt === prefix.name.length) return true
  const isSure = prefix.name[prefix.roleAt] === "(" || count > 1 || first === 0 || allHaveNames
  return isSure && isCalled(prefix)
}

/**
 * The names of a file that is too short for names to come back: the first cue has one, half of all do, and there are
 * two of them. Labels of Earmark are believed in any case.
 */
const calledNames = (cues: ReadonlyArray<Cue>, uses: ReadonlyArray<Use>): ReadonlyArray<string> => {
  const sum = (some: ReadonlyArray<Use>) => some.reduce((total, { count }) => total + count, 0)
  const allHaveNames = sum(uses) === cues.length
  const called = uses.filter((use) => mayBeCalled(use, allHaveNames))
  const names = called.map(({ prefix }) => prefix.name)
  if (called[0]?.first !== 0) return []
  if (names.every((name) => LABEL.test(name))) return names
  const areBelieved =
    names.length >= LEAST_NAMES &&
    sum(called) * 2 >= cues.length &&
    called.every(({ prefix }) => isCalled(prefix))
  return areBelieved ? names : []
}

/** The names that stand before lines, in the order of their first use. */
function* usesOf(cues: ReadonlyArray<Cue>): InTurns<ReadonlyArray<Use>> {
  const uses = new Map<string, Use>()
  let index = -1
  for (const cue of cues) {
    if (++index % BLOCKS_IN_A_TURN === 0) yield
    const prefix = prefixOf(cue)
    if (prefix === null) continue
    const use = uses.get(prefix.name)
    if (use === undefined) uses.set(prefix.name, { prefix, first: index, count: 1 })
    else use.count++
  }
  return [...uses.values()]
}

/**
 * Formats without a field for the speaker write `Name: ` into the text. That is believed when at least two names come
 * back at least three times each, or of a short talk (`calledNames`); then a cue without a prefix goes on with the speaker before it.
 */
export function* withSpeakersFromPrefixes(cues: Array<Cue>): InTurns<Array<Cue>> {
  if (cues.some((cue) => cue.speaker !== null)) return cues
  const uses = yield* usesOf(cues)
  const often = uses.filter(({ count }) => count >= LEAST_USES).map(({ prefix }) => prefix.name)
  const names = new Set(often.length < LEAST_NAMES ? calledNames(cues, uses) : often)
  if (names.size === 0) return cues
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
