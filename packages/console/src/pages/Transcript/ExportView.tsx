/** The file as it will be: what the preview shows is what the download has. */
import type { DoneTranscription, TranscriptionsExportQuery } from "@earmark/api/client"
import { exportFormats } from "@earmark/core/captions/formats"
import { type Signal, useComputed, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { credits } from "../../data.js"
import { languageOf, momentOf } from "../../format.js"
import { earmark, isLibrary } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { useWork } from "../../widgets/Dialog.js"
import { Check, SelectField } from "../../widgets/Field.js"
import { NumberField } from "../../widgets/NumberField.js"
import { Failure, Notice } from "../../widgets/States.js"
import { saveFile } from "../../widgets/saveFile.js"
import { exportWords } from "../../words/export.js"
import { extrasWords } from "../../words/extras.js"
import { choicesInAddress, choicesToAddress, FORMATS, LINE_LENGTH, LINES, PROFILES } from "./exportChoices.js"
import { Preview } from "./Preview.js"
import { translationStates } from "./useExtras.js"

const text = exportWords

type Wanted = TranscriptionsExportQuery

/** What was chosen, as far as the format takes it. The rest is kept for the formats that do. */
const fitting = ({ format, speakers, language, word_level, ...layout }: Wanted): Wanted => {
  const facts = exportFormats[format]
  return { format, speakers, language, ...(facts.wordLevel && { word_level }), ...(facts.cues && layout) }
}

interface OptionsProps {
  readonly job: DoneTranscription
  readonly wanted: Signal<Wanted>
}

/** The languages in which there is a text to export besides its own. */
const translationsOf = (job: DoneTranscription): ReadonlyArray<string> => {
  const done = Object.entries(translationStates(job)).filter(([, { status }]) => status === "done")
  const first = job.translation === undefined ? [] : [job.translation.language]
  return [...new Set([...first, ...done.map(([language]) => language)])]
}

const Options = ({ job, wanted }: OptionsProps) => {
  const { features } = credits.use([]).value ?? {}
  const set = (change: Partial<Wanted>) => {
    wanted.value = { ...wanted.value, ...change }
    choicesToAddress(wanted.value)
  }
  const { format, profile = "standard" } = wanted.value
  const facts = exportFormats[format]
  const translations = translationsOf(job)
  return (
    <div class="stack options">
      <SelectField
        label={text.format}
        help={facts.sentence}
        value={format}
        options={FORMATS.map((each) => [each, each.replace("_", " ")])}
        onChange={(next) => set({ format: next })}
      />
      {facts.cues && (
        <>
          <SelectField
            label={text.profile}
            value={profile}
            options={PROFILES.map((each) => [each, text.profiles[each]])}
            onChange={(next) => set({ profile: next })}
          />
          <div class="two">
            <NumberField
              label={text.lineLength}
              {...LINE_LENGTH}
              value={wanted.value.max_chars_per_line ?? null}
              placeholder="42"
              onChange={(letters) => set({ max_chars_per_line: letters ?? undefined })}
            />
            <NumberField
              label={text.lines}
              {...LINES}
              value={wanted.value.max_lines ?? null}
              placeholder="2"
              onChange={(lines) => set({ max_lines: lines ?? undefined })}
            />
          </div>
        </>
      )}
      {translations.length > 0 && (
        <SelectField
          label={text.language}
          value={wanted.value.language ?? ""}
          options={[
            ["", job.language === null ? extrasWords.original : languageOf(job.language)],
            ...translations.map((each): readonly [string, string] => [each, languageOf(each)]),
          ]}
          onChange={(language) => set({ language: language || undefined })}
        />
      )}
      <Check checked={wanted.value.speakers !== false} onChange={(speakers) => set({ speakers })}>
        {text.speakers}
      </Check>
      {facts.wordLevel && (
        <Check
          checked={wanted.value.word_level === true}
          disabled={features?.word_level_export === false}
          help={features?.word_level_export === false ? text.wordLevelLocked : undefined}
          onChange={(word_level) => set({ word_level: word_level ? true : undefined })}
        >
          {text.wordLevel}
        </Check>
      )}
    </div>
  )
}

export const ExportView = ({ job }: { readonly job: DoneTranscription }) => {
  const chosen = useSignal<Wanted>(choicesInAddress(translationsOf(job)))
  const wanted = useComputed(() => fitting(chosen.value))
  const link = useSignal<string | null>(null)
  useEffect(() => {
    link.value = null
  }, [wanted.value])
  const work = useWork()
  const save = () =>
    work.run(async () => {
      const file = await earmark.transcriptions.export(job.id, wanted.peek())
      saveFile(new Uint8Array(await file.bytes()), file.filename, file.contentType)
    })
  const copyLink = () =>
    work.run(async () => {
      const { url, expires_at } = await earmark.transcriptions.exportLink(job.id, wanted.peek())
      await navigator.clipboard.writeText(url)
      link.value = text.linkCopied(momentOf(expires_at))
    })
  return (
    <div class="exporting">
      <div class="stack">
        <Options job={job} wanted={chosen} />
        {work.error !== undefined && <Failure text={work.error} />}
        <div class="actions">
          <Button kind="primary" icon="download" isBusy={work.isBusy} onClick={() => void save()}>
            {text.download}
          </Button>
          {!isLibrary() && (
            <Button icon="link" onClick={() => void copyLink()}>
              {text.link}
            </Button>
          )}
        </div>
        {link.value !== null && <Notice kind="good">{link.value}</Notice>}
      </div>
      <Preview job={job} wanted={wanted.value} onDownload={() => void save()} isBusy={work.isBusy} />
    </div>
  )
}
