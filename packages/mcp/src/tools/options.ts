import { Schema } from "effect"
import * as fields from "./fields.js"
import { presetTo, told } from "./jsonSchema.js"

const { optional } = fields

/** How media are transcribed: one and all episodes of a feed take the same. */
export const optionFields = {
  language: optional(fields.language("ISO code of the spoken language. Leave out to detect it.")),
  diarize: optional(
    presetTo(
      fields.flag(
        "Label who speaks. Media of 10 minutes or more then cost 3 times the normal rate; needs a past purchase.",
      ),
      false,
    ),
  ),
  summary: optional(presetTo(fields.flag("Also write a summary."), false)),
  chapters: optional(presetTo(fields.flag("Also write chapters."), false)),
  translate_to: optional(fields.language("ISO code; also returns a translation into this language.")),
  quality: optional(
    presetTo(
      fields.choice("fast = quicker model, accurate = best model. Same price.", ["fast", "accurate"]),
      "accurate",
    ),
  ),
  vocabulary: optional(
    fields.list("Names and terms to expect.", fields.text("Word or phrase.", { from: 1, to: 100 }), 200),
  ),
  speakers: optional(
    told(
      Schema.Struct({
        min: optional(fields.integer("At least.", { from: 1, to: 32 })),
        max: optional(fields.integer("At most.", { from: 1, to: 32 })),
      }),
      "Expected number of speakers (with diarize).",
    ),
  ),
}

export const idempotencyKey = fields.text(
  "Repeat the same value to retry safely: no second job, no second charge.",
  { from: 1, to: 255 },
)

/** Clients give up on a call that takes a minute. */
export const LONGEST_WAIT_SECONDS = 50

export const waitSeconds = (preset: number) =>
  presetTo(
    fields.integer("Seconds to wait for the end. 0: answer at once.", {
      from: 0,
      to: LONGEST_WAIT_SECONDS,
    }),
    preset,
  )
