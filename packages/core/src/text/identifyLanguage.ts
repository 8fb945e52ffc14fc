import { modelsOf, type SharedAlphabet } from "./languageModels.js"

/** What language a text is most likely in. */
export interface IdentifiedLanguage {
  /** ISO 639-1 code. */
  readonly code: string
  /** 0 to 1: how much more likely than the other languages that are known here. */
  readonly confidence: number
}

/** Scripts, and the language of those that belong to one alone. Order is that of the count, first wins a tie. */
const SCRIPTS: ReadonlyArray<readonly [name: string, pattern: RegExp, language: string | SharedAlphabet]> = [
  ["latin", /\p{Script=Latin}/gu, "latin"],
  ["cyrillic", /\p{Script=Cyrillic}/gu, "cyrillic"],
  ["arabic", /\p{Script=Arabic}/gu, "arabic"],
  ["kana", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, "ja"],
  ["han", /\p{Script=Han}/gu, "zh"],
  ["hangul", /\p{Script=Hangul}/gu, "ko"],
  ["greek", /\p{Script=Greek}/gu, "el"],
  ["hebrew", /\p{Script=Hebrew}/gu, "he"],
  ["devanagari", /\p{Script=Devanagari}/gu, "hi"],
  ["thai", /\p{Script=Thai}/gu, "th"],
  ["georgian", /\p{Script=Georgian}/gu, "ka"],
  ["armenian", /\p{Script=Armenian}/gu, "hy"],
  ["bengali", /\p{Script=Bengali}/gu, "bn"],
  ["gurmukhi", /\p{Script=Gurmukhi}/gu, "pa"],
  ["gujarati", /\p{Script=Gujarati}/gu, "gu"],
  ["tamil", /\p{Script=Tamil}/gu, "ta"],
  ["telugu", /\p{Script=Telugu}/gu, "te"],
  ["kannada", /\p{Script=Kannada}/gu, "kn"],
  ["malayalam", /\p{Script=Malayalam}/gu, "ml"],
  ["lao", /\p{Script=Lao}/gu, "lo"],
  ["khmer", /\p{Script=Khmer}/gu, "km"],
  ["myanmar", /\p{Script=Myanmar}/gu, "my"],
]

/** A script with several languages of which one is far more common is never certain. */
const CERTAIN: Readonly<Record<string, number>> = { hi: 0.9, zh: 0.95, he: 0.97 }

const SAMPLE_CHARACTERS = 300
const SAMPLES = 5
/** Fewer letters than this say nothing. */
const FEWEST_LETTERS = 2
/** Words of one text are not independent of each other, so their evidence is taken down by this power. */
const DEPENDENCE = 0.6
/** Words read of one sample. */
const WORDS_READ = 80

const scriptOf = (text: string) => {
  const counts = SCRIPTS.map(([name, pattern, language]) => ({
    name,
    language,
    letters: text.match(pattern)?.length ?? 0,
  }))
  const letters = counts.reduce((sum, { letters }) => sum + letters, 0)
  const kana = counts.find(({ name }) => name === "kana")?.letters ?? 0
  const han = counts.find(({ name }) => name === "han")?.letters ?? 0
  const best = counts.reduce((most, next) => (next.letters > most.letters ? next : most))
  // Japanese is written with both, and Chinese never with Kana.
  const isJapanese = kana > 0 && kana + han >= best.letters && kana * 12 >= han
  return isJapanese
    ? { language: "ja", share: (kana + han) / letters, letters }
    : { language: best.language, share: best.letters / Math.max(1, letters), letters }
}

const isShared = (language: string): language is SharedAlphabet =>
  language === "latin" || language === "cyrillic" || language === "arabic"

const wordsOfSample = (text: string) =>
  (
    text
      .toLowerCase()
      .replace(/[’‘]/g, "'")
      .match(/\p{L}[\p{L}\p{M}\u200c]*(?:'\p{L}+)?/gu) ?? []
  ).slice(0, WORDS_READ)

/** The best language of an alphabet by the likelihood of its words, against all others of the alphabet. */
const likeliest = (alphabet: SharedAlphabet, words: ReadonlyArray<string>): IdentifiedLanguage | null => {
  if (words.length === 0) return null
  const { codes, scoresOf } = modelsOf(alphabet)
  const scores = scoresOf(words)
  const best = scores.reduce((most, score, at) => (score > (scores[most] ?? 0) ? at : most), 0)
  const scale = words.length ** (DEPENDENCE - 1)
  const others = scores.reduce((sum, score) => sum + Math.exp((score - (scores[best] ?? 0)) * scale), 0)
  return { code: codes[best] ?? "", confidence: 1 / others }
}

const identifySample = (text: string): IdentifiedLanguage | null => {
  const { language, share, letters } = scriptOf(text)
  if (letters < FEWEST_LETTERS) return null
  if (!isShared(language)) return { code: language, confidence: share * (CERTAIN[language] ?? 1) }
  const found = likeliest(language, wordsOfSample(text))
  return found && { code: found.code, confidence: found.confidence * share }
}

/** Pieces of the text, evenly spread, that begin at a space where there is one. */
const samplesOf = (text: string): ReadonlyArray<string> => {
  if (text.length <= 2 * SAMPLE_CHARACTERS) return [text]
  const count = Math.min(SAMPLES, Math.floor(text.length / SAMPLE_CHARACTERS))
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor(((text.length - SAMPLE_CHARACTERS) * index) / (count - 1))
    const space = text.indexOf(" ", from)
    const start = from > 0 && space >= 0 && space - from < 40 ? space : from
    return text.slice(start, start + SAMPLE_CHARACTERS)
  })
}

/**
 * The language of a text, or null when there is nothing to judge by. A long text is judged by the majority of several
 * samples, whatever its length; give it 200 characters or more where you can. Under a confidence of about .5, ask.
 */
export const identifyLanguage = (text: string): IdentifiedLanguage | null => {
  const votes = samplesOf(text).flatMap((sample) => identifySample(sample) ?? [])
  const totals = new Map<string, number>()
  for (const { code, confidence } of votes) totals.set(code, (totals.get(code) ?? 0) + confidence)
  let best: IdentifiedLanguage | null = null
  for (const [code, total] of totals) {
    const confidence = Math.round((1000 * total) / votes.length) / 1000
    if (best === null || confidence > best.confidence) best = { code, confidence }
  }
  return best
}
