import type { Transcription } from "@earmark/api/client"

type Enrichment = Transcription["enrichment"]
type ExtraState = NonNullable<Enrichment["summary"]>

export interface NamedExtra {
  readonly name: string
  readonly state: ExtraState
}

/** The extras of a transcript, translations by their languages. */
export const namedExtras = ({
  summary,
  chapters,
  translation,
  translations,
}: Enrichment): ReadonlyArray<NamedExtra> => {
  const several = Object.entries(translations ?? {}).map(([language, state]) => ({
    name: `translation ${language}`,
    state,
  }))
  const one = translation === undefined ? [] : [{ name: "translation", state: translation }]
  return [
    ...(summary === undefined ? [] : [{ name: "summary", state: summary }]),
    ...(chapters === undefined ? [] : [{ name: "chapters", state: chapters }]),
    ...(several.length > 0 ? several : one),
  ]
}

const told = ({ status, stale }: ExtraState): string =>
  stale === true ? `${status}, from an earlier text` : status

/** How each extra of a transcript fares, as a table of facts has it. */
export const extraFacts = (enrichment: Enrichment): ReadonlyArray<readonly [string, string]> =>
  namedExtras(enrichment).map(({ name, state }) => [name, told(state)] as const)
