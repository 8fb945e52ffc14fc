import { TaggedError } from "effect/Data"
import { counted } from "../text/counted.js"

const TOLERANCE_SECONDS = 300
/** Far more than a header with every secret in force needs. */
export const HEADER_LENGTH_AT_MOST = 4096
/** Unix seconds as we write them: no sign, no zeros before. */
export const TIMESTAMP = /^(?:0|[1-9]\d{0,14})$/

/** Ten thousand million seconds: what is larger was meant as milliseconds. */
const YEAR_2286 = 10_000_000_000

/** Why a signed delivery is refused. `stale` is only ever said of a signature that is genuine. */
export class SignatureInvalid extends TaggedError("SignatureInvalid")<{
  readonly reason: "malformed" | "mismatch" | "stale"
  readonly message: string
  /** Seconds between the signature and now, for `stale`: above 0 it is old, below 0 it comes from the future. */
  readonly ageSeconds: number | null
}> {}

export const malformed = (message: string) =>
  new SignatureInvalid({ reason: "malformed", message, ageSeconds: null })

export const mismatch = () =>
  new SignatureInvalid({
    reason: "mismatch",
    message:
      "No signature matches: check the secret, and verify the raw body, the exact bytes that were received; a trailing newline counts",
    ageSeconds: null,
  })

/** Undefined when the age is within the tolerance, in either direction. */
export const staleness = (
  timestamp: number,
  now: number,
  toleranceSeconds = TOLERANCE_SECONDS,
): SignatureInvalid | undefined => {
  const ageSeconds = now - timestamp
  // Written this way round so that a tolerance or a clock that is not a number refuses.
  if (Math.abs(ageSeconds) <= toleranceSeconds) return undefined
  const direction = ageSeconds < 0 ? "in the future" : "old"
  const milliseconds = timestamp >= YEAR_2286 ? "timestamp" : now >= YEAR_2286 ? "time given as now" : null
  const hint = milliseconds === null ? "" : `. The ${milliseconds} looks like milliseconds: give seconds`
  return new SignatureInvalid({
    reason: "stale",
    message: `The signature is ${counted(Math.abs(ageSeconds), "second")} ${direction}; ${toleranceSeconds} ${toleranceSeconds === 1 ? "is" : "are"} tolerated${hint}`,
    ageSeconds,
  })
}
