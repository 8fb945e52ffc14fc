/** A transcript beside its translation, line for line. */
import type { DoneTranscription } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { clockOf, languageOf } from "../../format.js"
import { extrasWords } from "../../words/extras.js"

const text = extrasWords
/** Pairs that the browser lays out together, when they are seen. */
const PART = 50
/** Parts that are put in at once, before the browser may draw. */
const SLICE = 6

interface Pair {
  readonly start: number
  readonly original: string
  readonly translated: string
}

/** The lines of the original beside each line of a translation: a corrected text may have others. */
const pairsOf = ({ segments, translation }: DoneTranscription): ReadonlyArray<Pair> => {
  const lines = translation?.segments ?? []
  const isAlike = lines.length === segments.length
  let from = 0
  return lines.map((line, at) => {
    const end = lines[at + 1]?.start ?? Number.POSITIVE_INFINITY
    let to = isAlike ? from + 1 : from
    while (!isAlike && (segments[to]?.start ?? Number.POSITIVE_INFINITY) < end) to += 1
    const original = segments
      .slice(from, to)
      .map((segment) => segment.text)
      .join(" ")
    from = to
    return { start: line.start, original, translated: line.text }
  })
}

interface PartProps {
  readonly pairs: ReadonlyArray<Pair>
  readonly from: string | null
  readonly to: string
}

const Part = ({ pairs, from, to }: PartProps) =>
  useMemo(
    () => (
      <div class="part">
        {pairs.map(({ start, original, translated }, index) => (
          <div class="pair" key={index}>
            <time>{clockOf(start)}</time>
            <p dir="auto" lang={from ?? undefined}>
              {original}
            </p>
            <p dir="auto" lang={to}>
              {translated}
            </p>
          </div>
        ))}
      </div>
    ),
    [pairs, from, to],
  )

/** How many of so many parts are in the page: more with every frame, until all are. */
const useSlices = (parts: number): number => {
  const shown = useSignal(SLICE)
  useEffect(() => {
    if (shown.value >= parts) return
    const timer = setTimeout(() => {
      shown.value += SLICE
    })
    return () => clearTimeout(timer)
  }, [shown.value, parts])
  return shown.value
}

/** Two columns, line beside line. */
export const Pairs = ({ job }: { readonly job: DoneTranscription }) => {
  const { translation, segments, language } = job
  const parts = useMemo(() => {
    const pairs = pairsOf(job)
    return Array.from({ length: Math.ceil(pairs.length / PART) }, (_, at) =>
      pairs.slice(at * PART, (at + 1) * PART),
    )
  }, [segments, translation])
  const shown = useSlices(parts.length)
  if (translation === undefined) return <p class="soft">{text.noTranslation}</p>
  return (
    <div class="pairs">
      <div class="pair names">
        <span />
        <strong>{language === null ? text.original : languageOf(language)}</strong>
        <strong>{languageOf(translation.language)}</strong>
      </div>
      {parts.slice(0, shown).map((pairs, at) => (
        <Part key={at} pairs={pairs} from={language} to={translation.language} />
      ))}
    </div>
  )
}
