import type { CreateTranscription } from "@earmark/api/client"
import type { Signal } from "@preact/signals"
import { LANGUAGES } from "../../languages.js"
import { canTranslate } from "../../session.js"
import { Combobox } from "../../widgets/Combobox.js"
import { Check, Choice, Field } from "../../widgets/Field.js"
import { NumberField } from "../../widgets/NumberField.js"
import { making } from "../../words/making.js"

const text = making.new
const MOST_PEOPLE = 20

/** What the fields say. */
export interface OptionsWanted {
  readonly language: string
  readonly diarize: boolean
  /** How many people speak, where that is known. */
  readonly people: number | null
  /** Something stands in a field that cannot be. */
  readonly isWrong: boolean
  readonly summary: boolean
  readonly chapters: boolean
  readonly translate_to: string
  readonly quality: "fast" | "accurate"
  /** A term on each line. */
  readonly vocabulary: string
  readonly title: string
}

const termsIn = (lines: string): ReadonlyArray<string> =>
  lines.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))

/** As the API takes them: what was not chosen is left out. */
export const wantedOf = (
  wanted: OptionsWanted,
): Omit<CreateTranscription, "title"> & { readonly title?: string } => {
  const vocabulary = termsIn(wanted.vocabulary)
  return {
    ...(wanted.language !== "" && { language: wanted.language }),
    ...(wanted.diarize && { diarize: true }),
    ...(wanted.diarize && wanted.people !== null && { speakers: { min: wanted.people, max: wanted.people } }),
    ...(wanted.summary && { summary: true }),
    ...(wanted.chapters && { chapters: true }),
    ...(wanted.translate_to !== "" && { translate_to: wanted.translate_to }),
    ...(wanted.quality === "fast" && { quality: "fast" }),
    ...(vocabulary.length > 0 && { vocabulary }),
    ...(wanted.title.trim() !== "" && { title: wanted.title.trim() }),
  }
}

interface LanguageProps {
  readonly label: string
  readonly help?: string
  readonly none: string
  readonly value: string
  readonly onChange: (code: string) => void
}

const Language = ({ label, help, none, value, onChange }: LanguageProps) => (
  <Field label={label} help={help}>
    {(facts) => (
      <Combobox facts={facts} value={value} options={[["", none], ...LANGUAGES]} onChange={onChange} />
    )}
  </Field>
)

interface OptionsProps {
  readonly wanted: Signal<OptionsWanted>
  readonly canDiarize: boolean
  readonly hasTitle: boolean
}

export const Options = ({ wanted, canDiarize, hasTitle }: OptionsProps) => {
  const set = (change: Partial<OptionsWanted>) => {
    wanted.value = { ...wanted.peek(), ...change }
  }
  const { value } = wanted
  return (
    <>
      <h2>{text.options}</h2>
      <Language
        label={text.language}
        none={text.detect}
        value={value.language}
        onChange={(language) => set({ language })}
      />
      <Check
        checked={value.diarize}
        disabled={!canDiarize}
        help={canDiarize ? undefined : text.diarizeLocked}
        onChange={(diarize) => set({ diarize, isWrong: false })}
      >
        {text.diarize}
      </Check>
      {value.diarize && (
        <NumberField
          label={text.people}
          help={text.peopleHelp}
          value={value.people}
          min={1}
          max={MOST_PEOPLE}
          onChange={(people) => set({ people: people ?? null, isWrong: people === undefined })}
        />
      )}
      {/* Side by side: then the button below is in sight in a window of 800 pixels. */}
      <div class="line-up">
        <Check checked={value.summary} onChange={(summary) => set({ summary })}>
          {text.summary}
        </Check>
        <Check checked={value.chapters} onChange={(chapters) => set({ chapters })}>
          {text.chapters}
        </Check>
      </div>
      <details class="further">
        <summary>{text.more}</summary>
        <div class="stack">
          {canTranslate() && (
            <Language
              label={text.translate}
              help={text.translateHelp}
              none={text.noTranslation}
              value={value.translate_to}
              onChange={(translate_to) => set({ translate_to })}
            />
          )}
          <Choice
            label={text.quality}
            value={value.quality}
            options={[
              ["accurate", text.accurate],
              ["fast", text.fast],
            ]}
            onChange={(quality) => set({ quality })}
          />
          <Field label={text.vocabulary} help={text.vocabularyHelp}>
            {(facts) => (
              <textarea
                {...facts}
                value={value.vocabulary}
                onChange={({ currentTarget }) => set({ vocabulary: currentTarget.value })}
              />
            )}
          </Field>
          {hasTitle && (
            <Field label={text.name} help={text.nameHelp}>
              {(facts) => (
                <input
                  {...facts}
                  maxLength={300}
                  value={value.title}
                  onChange={({ currentTarget }) => set({ title: currentTarget.value })}
                />
              )}
            </Field>
          )}
        </div>
      </details>
    </>
  )
}
