import { Effect } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import type { extras as extrasSpec } from "../grammar/transcripts.js"
import { entryOf } from "../library/libraryOf.js"
import { showFacts } from "./administration/administer.js"
import { extraFacts, type NamedExtra, namedExtras } from "./extraFacts.js"

type Options = Given<typeof extrasSpec>

/** Those that this call asked for. */
const isAsked = ({ name }: NamedExtra, { summary, chapters, translate }: Options): boolean =>
  (name === "summary" && summary) ||
  (name === "chapters" && chapters) ||
  (translate !== undefined && name === `translation ${translate}`)

export const extras = (options: Options) =>
  Effect.gen(function* () {
    const { summary, chapters, translate } = options
    if (!summary && !chapters && translate === undefined)
      return yield* usage("Name what to make: --summary, --chapters or --translate LANGUAGE.")
    const { library, id } = yield* entryOf(options)
    const answer = yield* library.addExtras(id, {
      ...(summary && { summary }),
      ...(chapters && { chapters }),
      ...(translate !== undefined && { translateTo: translate }),
    })
    const broken = namedExtras(answer.enrichment).filter(
      (each) => each.state.status === "failed" && isAsked(each, options),
    )
    const language = translate === undefined ? "" : ` --language ${translate}`
    yield* showFacts(
      { id, ...answer },
      options.json,
      () => extraFacts(answer.enrichment),
      () => (broken.length > 0 ? null : `To read it: earmark export ${id} --format md${language}`),
    )
    if (broken.length === 0) return
    return yield* failed(
      broken
        .map(({ name, state }) => `The ${name} failed: ${state.error ?? "no reason is known"}`)
        .join("\n"),
    )
  })
