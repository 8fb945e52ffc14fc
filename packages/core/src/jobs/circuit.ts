/** The rest that a failing endpoint is given, so that it does not eat the attempts of its deliveries. Times in milliseconds. */

const FAILURES_TO_OPEN = 5
const EVENTS_TO_OPEN = 2
const FIRST_REST_UNITS = 6
const LONGEST_REST_UNITS = 180
const FAILING_DAYS = 5
const FAILING_ATTEMPTS = 20
const DAY = 86_400_000

export interface Circuit {
  readonly state: "closed" | "open" | "half_open"
  readonly failuresInRow: number
  /** The event that failed first in this row, and whether another one failed too. */
  readonly failedEvent: string | null
  readonly failedEvents: number
  readonly failingSince: number | null
  /** How often in a row the endpoint was given a rest. */
  readonly rests: number
  /** The end of the rest; null when it has none. */
  readonly until: number | null
}

/** An endpoint that works, or was never tried. */
export const closedCircuit: Circuit = {
  state: "closed",
  failuresInRow: 0,
  failedEvent: null,
  failedEvents: 0,
  failingSince: null,
  rests: 0,
  until: null,
}

const open = (circuit: Circuit, now: number, unitSeconds: number): Circuit => {
  const units = Math.min(LONGEST_REST_UNITS, FIRST_REST_UNITS * 2 ** Math.min(circuit.rests, 10))
  return {
    ...circuit,
    state: "open",
    rests: circuit.rests + 1,
    until: now + Math.round(units * unitSeconds * 1000),
  }
}

/**
 * The circuit after an attempt. Five failures in a row over at least two events open it; each further failure after a
 * rest doubles the next one; one success closes it. `unitSeconds` is the first delay of the backoff.
 */
export const afterOutcome = (
  circuit: Circuit,
  attempt: { readonly succeeded: boolean; readonly eventId: string; readonly now: number },
  unitSeconds: number,
): Circuit => {
  if (attempt.succeeded) return closedCircuit
  const isOther = circuit.failedEvent !== null && circuit.failedEvent !== attempt.eventId
  const failing: Circuit = {
    ...circuit,
    failuresInRow: circuit.failuresInRow + 1,
    failedEvent: circuit.failedEvent ?? attempt.eventId,
    failedEvents: circuit.failedEvent === null ? 1 : Math.max(circuit.failedEvents, isOther ? 2 : 1),
    failingSince: circuit.failingSince ?? attempt.now,
  }
  const opens =
    circuit.state === "half_open" ||
    (circuit.state === "closed" &&
      failing.failuresInRow >= FAILURES_TO_OPEN &&
      failing.failedEvents >= EVENTS_TO_OPEN)
  return opens ? open(failing, attempt.now, unitSeconds) : failing
}

export type Admission =
  | { readonly type: "admitted"; readonly circuit: Circuit }
  /** Not now, and without using an attempt. */
  | { readonly type: "postponed"; readonly until: number }

/** Whether a delivery may go out now. After a rest one goes first; the others wait for what becomes of it. */
export const admit = (circuit: Circuit, now: number, unitSeconds: number): Admission => {
  if (circuit.state === "closed") return { type: "admitted", circuit }
  if (circuit.until !== null && now < circuit.until) return { type: "postponed", until: circuit.until }
  // The probe gets a time of its own: should its outcome be lost, the next delivery becomes the probe.
  const until = now + Math.round(FIRST_REST_UNITS * unitSeconds * 1000)
  return { type: "admitted", circuit: { ...circuit, state: "half_open", until } }
}

/** Whether an endpoint has done nothing but fail for so long that it is switched off. */
export const isFailingForGood = (circuit: Circuit, now: number): boolean =>
  circuit.failingSince !== null &&
  circuit.failuresInRow >= FAILING_ATTEMPTS &&
  now - circuit.failingSince >= FAILING_DAYS * DAY
