import type { Transcription } from "@earmark/api/client"
import { Effect, Option } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import type { extras as extrasSpec } from "../grammar/transcripts.js"
import { libraryOf } from "../library/libraryOf.js"
import { factsOf } from "../table.js"
import { show } from "./administration/administer.js"

type Options = Given<typeof extrasSpec>

type Enrichment = Transcription["enrichment"]
type ExtraState = NonNullable<Enrichment["summary"]>

interface Named {
  readonly name: string
  readonly state: ExtraState
}

/** The extras of a transcript, translations by their languages. */
const namedIn = ({ summary, chapters, translation, translations }: Enrichment): ReadonlyArray<Named> => {
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

/** Those that this call asked for. */
const isAsked = ({ name }: Named, { summary, chapters, translate }: Options): boolean =>
  (name === "summary" && summary) ||
  (name === "chapters" && chapters) ||
  Option.exists(translate, (language) => name === `translation ${language}`)

export const extras = (options: Options) =>
  Effect.gen(function* () {
    const { summary, chapters, translate } = options
    if (!summary && !chapters && Option.isNone(translate))
      return yield* usage("Name what to make: --summary, --chapters or --translate LANGUAGE.")
    const library = yield* libraryOf(options)
    const id = yield* library.idOf(options.id)
    const answer = yield* library.addExtras(id, {
      ...(summary && { summary }),
      ...(chapters && { chapters }),
      ...(Option.isSome(translate) && { translateTo: translate.value }),
    })
    const all = namedIn(answer.enrichment)
    yield* show({ id, ...answer }, options.json, () =>
      factsOf(all.map((each) => [each.name, told(each.state)] as const)),
    )
    const broken = all.filter((each) => each.state.status === "failed" && isAsked(each, options))
    if (broken.length === 0) return
    return yield* failed(
      broken
        .map(({ name, state }) => `The ${name} failed: ${state.error ?? "no reason is known"}`)
        .join("\n"),
    )
  })
