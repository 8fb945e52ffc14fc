import { exportFormatNames } from "@earmark/core/captions"
import { requestedOptions } from "@earmark/core/jobs"
import { requestInvalidOf } from "@earmark/core/wire"
import { Effect, Schema } from "effect"
import type { BatchOptions } from "../BatchOptions.js"
import { BatchRefused } from "../BatchRefused.js"

const { optional, NullOr, Struct } = Schema

const Text = Schema.NonEmptyString
const Count = Schema.Int.pipe(Schema.positive())
const Hook = optional(Schema.Any)

const ofSource = {
  options: optional(
    Schema.partial(Schema.typeSchema(Struct({ ...requestedOptions, channels: optional(Schema.Boolean) }))),
  ),
  formats: optional(Schema.Array(Schema.Literal(...exportFormatNames))),
  wordLevel: optional(Schema.Boolean),
  layout: optional(Schema.Object),
  names: optional(Schema.Record({ key: Schema.String, value: NullOr(Schema.String) })),
  episode: optional(NullOr(Schema.Union(Struct({ guid: Schema.String }), Struct({ index: Schema.Int })))),
  name: optional(Schema.String),
}

const Given = Struct({
  ...ofSource,
  sources: Schema.Array(Struct({ ...ofSource, source: Text })),
  output: optional(Text),
  episodes: optional(
    Schema.partial(
      Struct({ latest: NullOr(Count), since: NullOr(Schema.Number), match: NullOr(Schema.String) }),
    ),
  ),
  jobs: optional(Count),
  force: optional(Schema.Boolean),
  skipExisting: optional(Schema.Boolean),
  retryFailed: optional(Schema.Boolean),
  dryRun: optional(Schema.Boolean),
  maxMinutes: optional(Schema.NonNegative),
  maxCredits: optional(Schema.NonNegative),
  manifest: optional(Text),
  keep: optional(Schema.Boolean),
  watch: optional(Text),
  feedWatch: optional(Struct({ everySeconds: Schema.Number, once: Schema.Boolean, backlog: Schema.Number })),
  state: Text,
  onEvent: Hook,
  explain: Hook,
} satisfies Record<keyof BatchOptions, unknown>)

const validate = Schema.validateEither(Given, { errors: "all", onExcessProperty: "error" })

/** A source as an object, so that what is wrong in one is found at its place. */
const sourceOf = (given: BatchOptions["sources"][number]) =>
  typeof given === "string" ? { source: given } : given

/** Programs without types may give anything: names that there are not, formats that nobody writes, numbers that are none. */
export const requireGiven = (given: BatchOptions): Effect.Effect<void, BatchRefused> => {
  const { sources } = given
  const whole = { ...given, sources: Array.isArray(sources) ? sources.map(sourceOf) : sources }
  return Effect.mapError(Effect.asVoid(validate(whole)), (error) => {
    const [first] = requestInvalidOf(error).problems
    const subject = (first?.pointer ?? "#").slice(2)
    return new BatchRefused({ reason: "option_invalid", subject, message: `${subject}: ${first?.detail}` })
  })
}
