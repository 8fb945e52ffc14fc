import { baseLanguage } from "../text/languages.js"

/** How captions are to look. Durations in milliseconds, speeds in characters (as a reader counts them) per second. */
export interface CaptionProfile {
  readonly name: CaptionProfileName
  /** Bare language code, or null: the limits may depend on it. */
  readonly language: string | null
  /** Width of a line in cells: an East Asian wide character and an emoji take two. */
  readonly maxCharsPerLine: number
  readonly maxLines: number
  /** Up to this speed a cue costs nothing extra. */
  readonly aimSpeed: number
  /** Above this speed a cue is a fault. */
  readonly maxSpeed: number
  readonly minDuration: number
  readonly maxDuration: number
  /** Least silence on screen between two cues that do not belong together. */
  readonly gap: number
  /** A hard gap is kept even where speech must be cut for it; a soft one is taken out of silence only. */
  readonly hardGap: boolean
  /** How writers name the speaker: in a voice tag where the format has one, or always before the text. */
  readonly speakerAs: "voice" | "prefix"
}

const NAMES = ["standard", "podcast", "netflix"] as const

export type CaptionProfileName = (typeof NAMES)[number]

export interface CaptionProfileOptions {
  readonly language?: string | null | undefined
  readonly maxCharsPerLine?: number | undefined
  readonly maxLines?: number | undefined
  readonly maxSpeed?: number | undefined
  readonly minDuration?: number | undefined
  readonly maxDuration?: number | undefined
  readonly gap?: number | undefined
  readonly hardGap?: boolean | undefined
}

/** Characters per second for viewers who read along with the sound off. */
const SPEED_LIMITS: ReadonlyMap<string, number> = new Map(
  Object.entries({ en: 20, ar: 23, hi: 25, ko: 14, zh: 11, ja: 7 }),
)
const OTHER_SPEED_LIMIT = 17
/** The aim lies this much under the limit. */
const EASE = 3

/** Lines of full-width characters are shorter. */
const NETFLIX_CELLS: ReadonlyMap<string, number> = new Map(Object.entries({ zh: 32, ko: 32, ja: 26, th: 35 }))

const STANDARD = {
  maxCharsPerLine: 42,
  maxLines: 2,
  maxSpeed: 20,
  minDuration: 834,
  maxDuration: 7_000,
  gap: 84,
  hardGap: false,
  speakerAs: "voice",
} as const

type Rules = Omit<CaptionProfile, "name" | "language" | "aimSpeed">

const speedLimit = (language: string | null) => SPEED_LIMITS.get(language ?? "") ?? OTHER_SPEED_LIMIT

const rulesOf = (name: CaptionProfileName, language: string | null): Rules => {
  // Scripts of which a character says more than a letter are slower to read in every profile.
  const maxSpeed = Math.min(STANDARD.maxSpeed, SPEED_LIMITS.get(language ?? "") ?? STANDARD.maxSpeed)
  switch (name) {
    case "standard":
      return { ...STANDARD, maxSpeed }
    case "podcast":
      return { ...STANDARD, maxSpeed, maxCharsPerLine: 32, gap: 0, speakerAs: "prefix" }
    case "netflix":
      return {
        ...STANDARD,
        maxSpeed: speedLimit(language),
        maxCharsPerLine: NETFLIX_CELLS.get(language ?? "") ?? STANDARD.maxCharsPerLine,
        minDuration: language === "ja" ? 500 : STANDARD.minDuration,
        hardGap: true,
      }
  }
}

const within = (value: number | undefined, least: number, most: number, otherwise: number) =>
  value === undefined || Number.isNaN(value) ? otherwise : Math.min(most, Math.max(least, Math.round(value)))

/**
 * A profile by name, with its limits for a language, and the caller's own limits on top. Numbers out of range are
 * moved into it: 10 to 100 cells, 1 to 3 lines, 1 ms to a minute on screen.
 * Throws a RangeError for a name that is none.
 */
export const captionProfile = (
  name: CaptionProfileName,
  options: CaptionProfileOptions = {},
): CaptionProfile => {
  if (!NAMES.includes(name))
    throw new RangeError(`No caption profile "${name}": there are ${NAMES.join(", ")}`)
  const language = baseLanguage(options.language)
  const rules = rulesOf(name, language)
  const minDuration = within(options.minDuration, 1, 60_000, rules.minDuration)
  const maxSpeed = within(options.maxSpeed, 1, 1_000, rules.maxSpeed)
  return {
    name,
    language,
    maxCharsPerLine: within(options.maxCharsPerLine, 10, 100, rules.maxCharsPerLine),
    maxLines: within(options.maxLines, 1, 3, rules.maxLines),
    aimSpeed: Math.max(1, maxSpeed - EASE),
    maxSpeed,
    minDuration,
    maxDuration: Math.max(minDuration, within(options.maxDuration, 1, 60_000, rules.maxDuration)),
    gap: within(options.gap, 0, 1_000, rules.gap),
    hardGap: options.hardGap ?? rules.hardGap,
    speakerAs: rules.speakerAs,
  }
}
