import type { DoneTranscription, TranscriptionsExportQuery } from "@earmark/api/client"
import { captionProfile, type LintCode, lintCues, readCues } from "@earmark/core/captions"
import { useSignal } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { resource } from "../../cache.js"
import { preciseOf } from "../../format.js"
import { earmark } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { LoadedView, Notice } from "../../widgets/States.js"
import { exportWords } from "../../words/export.js"

const text = exportWords
const MOST_CUES = 200
const MOST_CHARACTERS = 6000
/** These are shown caption by caption, as players read the file; of the rest its beginning is shown. */
const CAPTIONS = ["srt", "vtt"] as const
type Captions = (typeof CAPTIONS)[number]

/** The file itself, as it would be saved. */
const exported = resource(async (id: string, wanted: TranscriptionsExportQuery) => {
  const file = await earmark.transcriptions.export(id, wanted)
  return file.text()
})

interface PreviewProps {
  readonly job: DoneTranscription
  readonly wanted: TranscriptionsExportQuery
}

interface CuesProps extends PreviewProps {
  readonly file: string
  readonly format: Captions
}

const sentenceOf = (code: LintCode): string =>
  Object.entries(text.lint).find(([name]) => name === code)?.[1] ?? code.replaceAll("_", " ")

const Cues = ({ job, wanted, file, format }: CuesProps) => {
  const { profile: name = "standard", max_chars_per_line, max_lines } = wanted
  const { cues, faults } = useMemo(() => {
    const profile = captionProfile(name, {
      language: job.language,
      maxCharsPerLine: max_chars_per_line,
      maxLines: max_lines,
    })
    const { findings } = lintCues(readCues(file, format), profile)
    const faulty = new Map<number, Array<LintCode>>()
    for (const { cue, code, weight } of findings)
      if (weight === "fault") faulty.set(cue, [...(faulty.get(cue) ?? []), code])
    return { cues: readCues(file, format, { names: "in_text" }), faults: faulty }
  }, [file, format, job.language, name, max_chars_per_line, max_lines])
  const list = useRef<HTMLOListElement>(null)
  const at = useSignal(-1)
  useEffect(() => {
    at.value = -1
  }, [faults])
  const faulty = [...faults.keys()].sort((one, other) => one - other)
  // Problems are counted in the whole file: the list grows as far as the one that is shown.
  const shown = Math.max(MOST_CUES, faulty[at.value] ?? 0)
  const goToNext = () => {
    at.value = (at.peek() + 1) % faulty.length
  }
  useEffect(() => {
    const cue = faulty[at.value]
    if (cue !== undefined) list.current?.children[cue - 1]?.scrollIntoView({ block: "nearest" })
  }, [at.value])
  return (
    <>
      {faults.size === 0 ? (
        <Notice kind="good">{text.clean}</Notice>
      ) : (
        <Notice kind="warn">
          <Button kind="quiet" label={text.nextFault(faults.size)} onClick={goToNext}>
            {at.value < 0 ? text.faults(faults.size) : text.faultAt(at.value + 1, faults.size)}
          </Button>
        </Notice>
      )}
      <ol ref={list} class="cues" tabIndex={0} aria-label={text.preview}>
        {cues.slice(0, shown).map(({ start, end, speaker, lines }, index) => (
          <li key={start} class={faults.has(index + 1) ? "bad" : undefined}>
            <time>
              {preciseOf(start / 1000)} – {preciseOf(end / 1000)}
            </time>
            <p dir="auto">
              {speaker !== null && speaker !== cues[index - 1]?.speaker && <b>{speaker}: </b>}
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
      {cues.length > shown && <p class="soft">{text.shortened(shown, cues.length)}</p>}
    </>
  )
}

const Beginning = ({ of }: { readonly of: string }) => (
  <pre class="block" tabIndex={0}>
    <code>{of.slice(0, MOST_CHARACTERS)}</code>
  </pre>
)

/** The format of a file that is shown caption by caption. */
const captionsOf = ({ format, word_level, language }: TranscriptionsExportQuery): Captions | undefined =>
  word_level === true || language !== undefined ? undefined : CAPTIONS.find((each) => each === format)

/** What was shown before stays until the next file is there: what stands below does not jump away from the pointer. */
const FileView = ({ job, wanted }: PreviewProps) => {
  const loaded = exported.use([job.id, wanted])
  const last = useRef<{ readonly file: string; readonly wanted: TranscriptionsExportQuery } | null>(null)
  if (loaded.value !== undefined) last.current = { file: loaded.value, wanted }
  const shown = loaded.error === undefined ? last.current : null
  return (
    <LoadedView of={{ ...loaded, value: shown ?? undefined }}>
      {({ file, wanted: by }) => {
        const format = captionsOf(by)
        return format === undefined ? (
          <Beginning of={file} />
        ) : (
          <Cues job={job} wanted={by} file={file} format={format} />
        )
      }}
    </LoadedView>
  )
}

/** A file that only other programs show. */
const Unseen = ({ onDownload, isBusy }: { readonly onDownload: () => void; readonly isBusy: boolean }) => (
  <Notice>
    <p>{text.binary}</p>
    <Button icon="download" isBusy={isBusy} onClick={onDownload}>
      {text.downloadBinary}
    </Button>
  </Notice>
)

interface Props extends PreviewProps {
  readonly onDownload: () => void
  readonly isBusy: boolean
}

export const Preview = ({ job, wanted, ...download }: Props) => (
  <section class="preview" aria-label={text.preview}>
    <h2>{text.preview}</h2>
    {wanted.format === "docx" ? <Unseen {...download} /> : <FileView job={job} wanted={wanted} />}
  </section>
)
