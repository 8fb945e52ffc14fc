import { TaggedError } from "effect/Data"

/** Random bytes are an argument everywhere; this says how many were needed when they ran out. */
export class NotEnoughRandomBytes extends TaggedError("NotEnoughRandomBytes")<{
  readonly needed: number
  readonly given: number
}> {
  override get message() {
    return `${this.needed} random bytes are needed, ${this.given} were given`
  }
}
