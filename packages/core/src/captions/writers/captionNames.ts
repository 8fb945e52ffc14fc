import { cellWidth } from "../../text/graphemes.js"
import type { CaptionProfile } from "../CaptionProfile.js"

/** What a name takes beside its letters: a colon, and a space where a word follows on the line. */
const COLON = 1
const COLON_AND_SPACE = 2
/** Where a cue is a single line, a name leaves this much of it for the first word. */
const ROOM_FOR_WORD = 10

const TITLE = /^\p{L}+\.$/u
const NUMBERS = [2, 3, 4, 5, 6, 7, 8, 9]
const LETTER = /[\p{L}\p{N}]/u

/** The widest name that is shown as it is. */
const widestName = ({ maxCharsPerLine, maxLines }: CaptionProfile): number =>
  maxLines === 1 ? maxCharsPerLine - COLON_AND_SPACE - ROOM_FOR_WORD : maxCharsPerLine - COLON

/** Shorter ways to write a name: without its role, without titles, the last word, the first, the initials, an initial and a number. */
const shorterNames = (name: string): ReadonlyArray<string> => {
  const mark = name.search(/[,(]/)
  const bare = (mark > 0 ? name.slice(0, mark) : name).trim()
  const parts = bare.split(" ")
  const words = parts.filter((part) => !TITLE.test(part))
  const initials = words.map((word) => LETTER.exec(word)?.[0] ?? "").join("")
  const first = LETTER.exec(initials)?.[0] ?? LETTER.exec(name)?.[0] ?? ""
  const numbered = first === "" ? [] : NUMBERS.map((number) => `${first}${number}`)
  return [bare, words.join(" "), words.at(-1) ?? "", words[0] ?? "", initials, first, ...numbered]
}

/**
 * The names as captions show them. A name too wide for its line is shortened, the same way in the whole file, and never to what
 * another speaker is called; a speaker for whom nothing is left is not named.
 */
export const captionNames = (
  speakers: ReadonlyArray<string>,
  profile: CaptionProfile,
): ReadonlyMap<string, string> => {
  const widest = widestName(profile)
  const shown = new Map<string, string>()
  const taken = new Set(speakers)
  for (const speaker of speakers) {
    const fits = (name: string) => name !== "" && cellWidth(name) <= widest
    const short = fits(speaker)
      ? speaker
      : shorterNames(speaker).find((name) => fits(name) && !taken.has(name))
    if (short === undefined) continue
    shown.set(speaker, short)
    taken.add(short)
  }
  return shown
}
