/** What workers and the relay say to each other. Messages can get lost: whoever asks does not wait for ever. */
import { Schema } from "effect"

/** A worker has free slots. */
export const Ask = Schema.parseJson(
  Schema.Struct({
    from: Schema.String,
    number: Schema.Int,
    want: Schema.Int.pipe(Schema.between(1, 10_000)),
    cap: Schema.Int,
  }),
)
export type Ask = typeof Ask.Type

/** How many entries are there to be taken; null when the relay could not find out. */
export const Answer = Schema.parseJson(
  Schema.Struct({ number: Schema.Int, there: Schema.NullOr(Schema.Int) }),
)
export type Answer = typeof Answer.Type

/** The names of what an installation keeps on the server. */
export const namesOf = (prefix: string) => ({
  /** Where workers ask. Only the relay listens. */
  asks: `${prefix}:asks`,
  answers: (member: string) => `${prefix}:answers:${member}`,
  /** Who is the relay, as long as it says so again and again. */
  relay: `${prefix}:relay`,
})
