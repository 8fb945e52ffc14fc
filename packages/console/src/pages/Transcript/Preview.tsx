import type { DoneTranscription, TranscriptionsExportQuery } from "@earmark/api/client"
import { buildCues, captionProfile, type LintCode, lintCues } from "@earmark/core/captions"
import { useMemo } from "preact/hooks"
import { resource } from "../../cache.js"
import { transcriptWords } from "../../data.js"
import { clockOf } from "../../format.js"
import { earmark } from "../../session.js"
import { LoadedView, Notice } from "../../widgets/States.js"
import { reading } from "../../words/reading.js"

const text = reading.export
const MOST_CUES = 200
const MOST_CHARACTERS = 6000
/** What captions are shown of is cut into them here; of the rest the beginning of the file itself is shown. */
const CAPTIONS: ReadonlyArray<string> = ["srt", "vtt"]

const beginning = resource(async (id: string, wanted: TranscriptionsExportQuery) => {
  const file = await earmark.transcriptions.export(id, wanted)
  return (await file.text()).slice(0, MOST_CHARACTERS)
})

interface PreviewProps {
  readonly job: DoneTranscription
  readonly wanted: TranscriptionsExportQuery
}

const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

const wordsIn = (job: DoneTranscription) =>
  job.segments.flatMap(({ words: spoken = [], speaker }) =>
    spoken.map((word) => ({
      text: word.text,
      start: milliseconds(word.start),
      end: milliseconds(word.end),
      confidence: word.confidence,
      speaker,
    })),
  )

const sentenceOf = (code: LintCode): string =>
  Object.entries(text.lint).find(([name]) => name === code)?.[1] ?? code.replaceAll("_", " ")

const Cues = ({ job, wanted }: PreviewProps) => {
  const { profile: name = "standard", max_chars_per_line, max_lines } = wanted
  const { cues, faults } = useMemo(() => {
    const profile = captionProfile(name, {
      language: job.language,
      maxCharsPerLine: max_chars_per_line,
      maxLines: max_lines,
    })
    const built = buildCues(wordsIn(job), { profile })
    const { findings } = lintCues(built, profile)
    const faulty = new Map<number, Array<LintCode>>()
    for (const { cue, code, weight } of findings)
      if (weight === "fault") faulty.set(cue, [...(faulty.get(cue) ?? []), code])
    return { cues: built, faults: faulty }
  }, [job, name, max_chars_per_line, max_lines])
  return (
    <>
      {faults.size === 0 ? (
        <Notice kind="good">{text.clean}</Notice>
      ) : (
        <Notice kind="warn">{text.faults(faults.size)}</Notice>
      )}
      <ol class="cues" tabIndex={0} aria-label={text.preview}>
        {cues.slice(0, MOST_CUES).map(({ start, end, speaker, lines }, index) => (
          <li key={start} class={faults.has(index + 1) ? "bad" : undefined}>
            <time>
              {clockOf(start / 1000)} – {clockOf(end / 1000)}
            </time>
            <p dir="auto">
              {wanted.speakers !== false && speaker !== null && <b>{job.speakers[speaker] ?? speaker} </b>}
              {lines.flatMap((line, at) => (at === 0 ? [line] : [<br />, line]))}
            </p>
            {(faults.get(index + 1) ?? []).map((code) => (
              <span key={code} class="badge bad">
                {sentenceOf(code)}
              </span>
            ))}
          </li>
        ))}
      </ol>
      {cues.length > MOST_CUES && <p class="soft">{text.shortened(MOST_CUES, cues.length)}</p>}
    </>
  )
}

const CuesOf = ({ job, wanted }: PreviewProps) => (
  <LoadedView of={transcriptWords.use([job.id])}>
    {(timed) => (timed.status === "done" ? <Cues job={timed} wanted={wanted} /> : null)}
  </LoadedView>
)

const Beginning = ({ job, wanted }: PreviewProps) => (
  <LoadedView of={beginning.use([job.id, wanted])}>
    {(start) => (
      <pre class="block" tabIndex={0}>
        <code>{start}</code>
      </pre>
    )}
  </LoadedView>
)

export const Preview = (props: PreviewProps) => {
  const { wanted } = props
  const isCut =
    CAPTIONS.includes(wanted.format) && wanted.word_level !== true && wanted.language === undefined
  return (
    <section class="preview" aria-label={text.preview}>
      <h2>{text.preview}</h2>
      {wanted.format === "docx" && <Notice>{text.binary}</Notice>}
      {wanted.format !== "docx" && (isCut ? <CuesOf {...props} /> : <Beginning {...props} />)}
    </section>
  )
}
