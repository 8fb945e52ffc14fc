/** Corrected texts, and extras that were asked for after the job was done, over what was stored with it. */
import { estimatedWords } from "@earmark/core/edits"
import type { Enrichment, ExtraState } from "@earmark/core/jobs"
import { counted } from "@earmark/core/text"
import { type Segment, textOf } from "@earmark/core/transcripts"
import type { ExtrasRequest } from "@earmark/core/wire"
import { Effect, Record } from "effect"
import type { ExtraName, MadeExtra } from "../ports/ExtraStore.js"
import type { Content, StoredJob, TranslatedLines } from "../ports/records.js"
import type { Translator } from "../ports/Speech.js"
import { requireTranslation } from "./limits.js"
import { RequestRefused } from "./refusals.js"

const MOST_TRANSLATIONS = 20

/** What decides how the extras of a transcript fare. */
interface Extended {
  readonly enrichment: Enrichment
  readonly options: Pick<StoredJob["options"], "translateTo">
}
type ExtendedAt = Extended & Pick<StoredJob, "revision">

/** What was heard, with corrected lines in place of its own. Its extras stay those of what was heard. */
export const correctedContent = (heard: Content, segments: ReadonlyArray<Segment>): Content => {
  const estimated = estimatedWords(heard.segments, segments)
  return {
    ...heard,
    segments,
    text: textOf(segments),
    translation: heard.translation && { lines: heard.segments, ...heard.translation },
    ...(estimated > 0 && { estimatedWords: estimated }),
  }
}

/** Whether extras were asked for after the job was done. */
export const hasLaterExtras = ({ summary, chapters, translations }: Enrichment): boolean =>
  translations !== undefined || summary?.revision !== undefined || chapters?.revision !== undefined

/** How every translation of a job fares, by its language. */
const translationStates = ({
  enrichment: { translation, translations },
  options: { translateTo },
}: Extended): Readonly<Record<string, ExtraState>> => ({
  ...(translation !== undefined && translateTo !== null && { [translateTo]: translation }),
  ...translations,
})

/** The language of the translation that is shown where none is named: that of the request, or else the first that is there. */
export const firstTranslation = (job: Extended): string | null => {
  const states = translationStates(job)
  const languages = Object.keys(states).sort()
  const asked = languages.filter((language) => language === job.options.translateTo)
  const inOrder = [...asked, ...languages]
  return inOrder.find((language) => states[language]?.status === "done") ?? inOrder[0] ?? null
}

/** How the extras of a transcript fare: those made of another revision than is shown say so. */
export const enrichmentAt = (job: ExtendedAt): Enrichment => {
  const told = (extra: ExtraState): ExtraState =>
    extra.status === "done" && (extra.revision ?? 0) !== job.revision ? { ...extra, stale: true } : extra
  const { summary, chapters, translations } = job.enrichment
  const states = translationStates(job)
  const translation = states[firstTranslation(job) ?? ""] ?? job.enrichment.translation
  return {
    ...(summary !== undefined && { summary: told(summary) }),
    ...(chapters !== undefined && { chapters: told(chapters) }),
    ...(translation !== undefined && { translation: told(translation) }),
    ...(translations !== undefined && { translations: Record.map(states, told) }),
  }
}

/** A content without a summary from before a correction: it may say what was just put right. */
export const withoutStaleSummary = (job: ExtendedAt, content: Content): Content =>
  enrichmentAt(job).summary?.stale === true ? { ...content, summary: null } : content

const namesIn = ({ summary, chapters, translateTo }: ExtrasRequest): ReadonlyArray<ExtraName> => [
  ...(summary === true ? [{ kind: "summary", language: null } as const] : []),
  ...(chapters === true ? [{ kind: "chapters", language: null } as const] : []),
  ...(translateTo === undefined ? [] : [{ kind: "translation", language: translateTo } as const]),
]

/** The extras that are to be made: what is there, and made from the newest text, stays. */
export const wantedExtras = Effect.fnUntraced(function* (
  job: ExtendedAt,
  request: ExtrasRequest,
  translator: Pick<Translator["Type"], "isThere">,
) {
  const { translateTo } = request
  yield* requireTranslation(translator, translateTo ?? null)
  const translations = translationStates(job)
  const languages = new Set([
    ...Object.keys(translations),
    ...(translateTo === undefined ? [] : [translateTo]),
  ])
  if (languages.size > MOST_TRANSLATIONS)
    return yield* new RequestRefused({
      code: "invalid_request",
      detail: `A transcript has at most ${counted(MOST_TRANSLATIONS, "translation")}.`,
      pointer: "#/translate_to",
    })
  return namesIn(request).filter(({ kind, language }) => {
    const state = kind === "translation" ? translations[language] : job.enrichment[kind]
    return state?.status !== "done" || (state.revision ?? 0) !== job.revision
  })
})

/**
 * A content with the extras that were made later, in place of those in it. `linesAt` has the lines that each was made from, and the
 * translation to `first` stands first, where there is one.
 */
export const withExtras = (
  content: Content,
  made: ReadonlyArray<MadeExtra>,
  linesAt: (revision: number) => ReadonlyArray<Segment>,
  first: string | null,
): Content => {
  let { summary, chapters } = content
  const translations = new Map<string, TranslatedLines>()
  if (content.translation !== null) translations.set(content.translation.language, content.translation)
  for (const extra of made) {
    if (extra.kind === "summary") summary = extra.value
    if (extra.kind === "chapters") chapters = extra.value
    if (extra.kind === "translation") {
      const { language, value: texts } = extra
      translations.set(language, { language, texts, lines: linesAt(extra.revision) })
    }
  }
  const all = [...translations.values()]
  const translation = all.find(({ language }) => language === first) ?? all[0] ?? null
  const moreTranslations = all.filter((each) => each !== translation)
  return { ...content, summary, chapters, translation, moreTranslations }
}

/** The translation to a language; the first one where none is named. */
export const translationTo = (
  { translation, moreTranslations = [] }: Pick<Content, "translation" | "moreTranslations">,
  language: string | undefined,
): TranslatedLines | null => {
  if (language === undefined || translation?.language === language) return translation
  return moreTranslations.find((each) => each.language === language) ?? null
}
