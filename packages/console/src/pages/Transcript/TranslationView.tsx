import type { DoneTranscription } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { translated } from "../../data.js"
import { languageOf } from "../../format.js"
import { LANGUAGES } from "../../languages.js"
import { query, setQuery } from "../../router.js"
import { canTranslate, isLibrary, mayWrite } from "../../session.js"
import { Button } from "../../widgets/Button.js"
import { SelectField } from "../../widgets/Field.js"
import { Failure, LoadedView } from "../../widgets/States.js"
import { extrasWords } from "../../words/extras.js"
import { ExtraPart } from "./ExtraPart.js"
import { Pairs } from "./Pairs.js"
import { firstTranslation, translationStates, useExtras } from "./useExtras.js"

const text = extrasWords

const NamedPairs = ({ id, language }: { readonly id: string; readonly language: string }) => (
  <LoadedView of={translated.use([id, language])}>
    {(job) => (job.status === "done" ? <Pairs job={job} /> : null)}
  </LoadedView>
)

interface LanguageFieldProps {
  readonly label: string
  readonly value: string
  readonly languages: ReadonlyArray<string>
  readonly onChange: (language: string) => void
}

const LanguageField = ({ languages, ...field }: LanguageFieldProps) => (
  <SelectField {...field} options={languages.map((each) => [each, languageOf(each)])} />
)

/** Two columns, line beside line; a transcript may have several translations. */
export const TranslationView = ({ job }: { readonly job: DoneTranscription }) => {
  const { make, isBusy, error } = useExtras(job)
  const first = firstTranslation(job)
  const all = translationStates(job)
  const languages = Object.keys(all)
  const asked = query.value.get("to")
  const language = languages.find((each) => each === asked) ?? first ?? languages[0]
  const others = [...LANGUAGES.keys()].filter((each) => !languages.includes(each) && each !== job.language)
  const chosen = useSignal<string | null>(null)
  // What was chosen last may be there by now.
  const next = others.find((each) => each === chosen.value) ?? others[0]
  const none = isLibrary() ? text.noTranslatorHere : text.noTranslator
  return (
    <div class="stack">
      {error !== undefined && <Failure text={error} />}
      <div class="line-up">
        {languages.length > 1 && (
          <LanguageField
            label={text.shownLanguage}
            value={language ?? ""}
            languages={languages}
            onChange={(to) => setQuery({ to })}
          />
        )}
        {canTranslate() && mayWrite() && next !== undefined && (
          <>
            <LanguageField
              label={text.translateTo}
              value={next}
              languages={others}
              onChange={(to) => {
                chosen.value = to
              }}
            />
            <Button
              isBusy={isBusy}
              onClick={() => {
                make({ translate_to: next })
                setQuery({ to: next })
              }}
            >
              {text.translate}
            </Button>
          </>
        )}
      </div>
      {language === undefined ? (
        <p class="soft">{canTranslate() ? text.noTranslation : none}</p>
      ) : (
        <>
          {all[language] !== undefined && (
            <ExtraPart
              extra={all[language]}
              action={text.translate}
              isBusy={isBusy}
              onMake={() => make({ translate_to: language })}
            />
          )}
          {language === first ? <Pairs job={job} /> : <NamedPairs id={job.id} language={language} />}
        </>
      )}
    </div>
  )
}
