import type { DoneTranscription } from "@earmark/api/client"
import { clockOf, languageOf } from "../../format.js"
import { Failure, Notice } from "../../widgets/States.js"
import { words } from "../../words.js"

const text = words.transcript
/** Enough to read for an hour; the export has all. */
const MOST = 1500

/** Two columns, line beside line. */
export const TranslationView = ({ job }: { readonly job: DoneTranscription }) => {
  const { translation, enrichment, segments, language } = job
  if (translation === undefined)
    return enrichment.translation?.status === "failed" ? (
      <Failure text={enrichment.translation.error ?? text.noTranslation} />
    ) : (
      <Notice>{text.noTranslation}</Notice>
    )
  return (
    <div class="pairs">
      <div class="pair names">
        <span />
        <strong>{language === null ? text.original : languageOf(language)}</strong>
        <strong>{languageOf(translation.language)}</strong>
      </div>
      {segments.slice(0, MOST).map((segment, index) => (
        <div class="pair" key={segment.start}>
          <time>{clockOf(segment.start)}</time>
          <p dir="auto" lang={language ?? undefined}>
            {segment.text}
          </p>
          <p dir="auto" lang={translation.language}>
            {translation.segments[index]?.text ?? ""}
          </p>
        </div>
      ))}
    </div>
  )
}
