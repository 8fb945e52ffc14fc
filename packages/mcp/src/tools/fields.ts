/** The pieces that inputs and outputs of tools are made of. What a model reads about a field is beside what a mistake is told with. */
import { JobStatus, LanguageCode, Phase } from "@earmark/core/jobs"
import { Schema } from "effect"
import { told } from "./jsonSchema.js"

interface Limits {
  readonly from?: number
  readonly to?: number
}

const limitsText = ({ from, to }: Limits): string =>
  from !== undefined && to !== undefined
    ? ` from ${from} to ${to}`
    : from !== undefined
      ? ` of at least ${from}`
      : to !== undefined
        ? ` of at most ${to}`
        : ""

const within = (what: string, { from, to }: Limits) => {
  const description = `${what}${limitsText({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) })}`
  return Schema.filter<typeof Schema.Number>(
    (value) => value >= (from ?? Number.NEGATIVE_INFINITY) && value <= (to ?? Number.POSITIVE_INFINITY),
    {
      description,
      jsonSchema: { ...(from !== undefined && { minimum: from }), ...(to !== undefined && { maximum: to }) },
    },
  )
}

export const number = (about: string, limits: Limits = {}) =>
  told(Schema.Finite.annotations({ description: "a number" }).pipe(within("a number", limits)), about)

export const integer = (about: string, limits: Limits = {}) =>
  told(
    Schema.Int.annotations({ description: "a whole number" }).pipe(within("a whole number", limits)),
    about,
  )

interface Length {
  readonly from?: number
  readonly to?: number
  readonly format?: string
}

/** Text; lengths are what a caller is held to, so that one who sends nonsense learns it here. */
export const text = (about: string, { from = 0, to, format }: Length = {}) => {
  const description = to === undefined ? "a text" : `a text of ${from} to ${to} characters`
  return told(
    Schema.String.pipe(
      Schema.filter((value) => value.length >= from && value.length <= (to ?? Number.POSITIVE_INFINITY), {
        description,
        jsonSchema: {
          ...(from > 0 && { minLength: from }),
          ...(to !== undefined && { maxLength: to }),
          ...(format !== undefined && { format }),
        },
      }),
    ),
    about,
  )
}

export const flag = (about: string) => told(Schema.Boolean, about)

export const choice = <const Values extends readonly [string, ...Array<string>]>(
  about: string,
  values: Values,
) => told(Schema.Literal(...values), about)

const array = <Type>(item: Schema.Schema<Type>, least: number, most: number, description: string) =>
  Schema.Array(item).pipe(
    Schema.filter(({ length }) => length >= least && length <= most, {
      description,
      jsonSchema: {
        ...(least > 0 && { minItems: least }),
        ...(Number.isFinite(most) && { maxItems: most }),
      },
    }),
  )

export const list = <Type>(about: string, item: Schema.Schema<Type>, most = Number.POSITIVE_INFINITY) =>
  told(array(item, 0, most, Number.isFinite(most) ? `an array of at most ${most} items` : "an array"), about)

/** The same with at least one. */
export const someOf = <Type>(about: string, item: Schema.Schema<Type>, most: number) =>
  told(array(item, 1, most, `an array of 1 to ${most} items`), about)

/** A field that may be left out. */
export const optional = <Type>(schema: Schema.Schema<Type>) => Schema.optionalWith(schema, { exact: true })

export const language = (about: string) => told(LanguageCode, about)

export const moment = (about: string) => text(about, { format: "date-time" })

export const transcriptionId = text('Transcription id, "tr_…".', {
  from: 1,
  to: 64,
})

export const nextStep = text("What to call now.")
export const nextCursor = text("Absent on the last page.")
export const cursor = text("next_cursor of the page before.")
export const feed = text("RSS feed or Apple Podcasts link.", { from: 1, to: 2048 })

export const status = (about: string) => choice(about, JobStatus.literals)
export const phase = (about: string) => choice(about, Phase.literals)
