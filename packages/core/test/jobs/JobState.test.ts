import {
  advance,
  CREDITS_WAIT_SECONDS,
  creditsWaitIsOver,
  type Done,
  type Failed,
  type JobEvent,
  type JobState,
  Phase,
  type Queued,
  queuedAt,
} from "@earmark/core/jobs"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const AT = 1_000_000

const queued = (phase: Queued["phase"]): Queued => ({
  status: "queued",
  phase,
  progress: 0.5,
  run: 1,
  startedAt: 5,
  waitingSince: phase === "waiting_for_credits" ? 7 : null,
})
const done: Done = { status: "done", progress: 1, run: 0, startedAt: 5, completedAt: 9, expired: false }
const failed: Failed = {
  status: "failed",
  code: "engine_error",
  stage: "transcribing",
  detail: null,
  progress: 0.5,
  run: 0,
  startedAt: 5,
  completedAt: 9,
  expired: false,
}

const states: Readonly<Record<string, JobState>> = {
  waiting: queued("waiting"),
  unpaid: queued("waiting_for_credits"),
  fetching: queued("fetching"),
  decoding: queued("decoding"),
  transcribing: queued("transcribing"),
  diarizing: queued("diarizing"),
  enriching: queued("enriching"),
  finalizing: queued("finalizing"),
  done,
  doneExpired: { ...done, expired: true },
  failed,
  failedExpired: { ...failed, expired: true },
}

const events: Readonly<Record<JobEvent["type"], JobEvent>> = {
  entered: { type: "entered", phase: "decoding", at: AT },
  progressed: { type: "progressed", progress: 0.75, at: AT },
  released: { type: "released", at: AT },
  credits_lacking: { type: "credits_lacking", at: AT },
  credits_granted: { type: "credits_granted", at: AT },
  completed: { type: "completed", at: AT },
  failed: { type: "failed", code: "no_speech", detail: null, at: AT },
  canceled: { type: "canceled", at: AT },
  retried: { type: "retried", at: AT },
  expired: { type: "expired", at: AT },
}

/** What becomes of a state: its short name, or the refusal. */
const shown = (result: Either.Either<JobState, { readonly _tag: string }>): string =>
  Either.match(result, {
    onLeft: (error) => error._tag,
    onRight: (state) => {
      if (state.status === "queued") return `${state.phase} ${state.progress} run ${state.run}`
      const gone = state.expired ? ", gone" : ""
      return state.status === "done" ? `done${gone}` : `${state.code}${gone}`
    },
  })

const working = (phase: string): Record<JobEvent["type"], string> => ({
  entered: "decoding 0.5 run 1",
  progressed: `${phase} 0.75 run 1`,
  released: "waiting 0.5 run 1",
  credits_lacking: "waiting_for_credits 0.5 run 1",
  credits_granted: "JobNotWaiting",
  completed: "done",
  failed: "no_speech",
  canceled: "canceled",
  retried: "JobNotRetryable",
  expired: "expired, gone",
})

const final = {
  ...working(""),
  ...Object.fromEntries(Object.keys(events).map((e) => [e, "JobAlreadyEnded"])),
}

const table: Readonly<Record<string, Readonly<Record<JobEvent["type"], string>>>> = {
  waiting: working("waiting"),
  unpaid: {
    ...working("waiting_for_credits"),
    entered: "JobWaitsForCredits",
    progressed: "JobWaitsForCredits",
    released: "waiting_for_credits 0.5 run 1",
    credits_granted: "waiting 0.5 run 1",
    completed: "JobWaitsForCredits",
  },
  fetching: working("fetching"),
  decoding: working("decoding"),
  transcribing: working("transcribing"),
  diarizing: working("diarizing"),
  enriching: working("enriching"),
  finalizing: working("finalizing"),
  done: { ...final, retried: "JobNotRetryable", expired: "done, gone" },
  doneExpired: { ...final, retried: "JobNotRetryable", expired: "done, gone" },
  failed: { ...final, retried: "waiting 0 run 1", expired: "engine_error, gone" },
  failedExpired: { ...final, retried: "JobNotRetryable", expired: "engine_error, gone" },
}

describe("every pair of state and event", () => {
  for (const [name, state] of Object.entries(states)) {
    for (const event of Object.values(events)) {
      it(`${name} + ${event.type}`, () => {
        assert.strictEqual(shown(advance(state, event)), table[name]?.[event.type])
      })
    }
  }
})

const anyEvent: FastCheck.Arbitrary<JobEvent> = FastCheck.oneof(
  ...Object.values(events).map((event) => FastCheck.constant(event)),
  FastCheck.double({ noNaN: false }).map((progress) => ({ type: "progressed", progress, at: AT }) as const),
  FastCheck.constantFrom(...Phase.literals)
    .filter((phase) => phase !== "waiting" && phase !== "waiting_for_credits")
    .map((phase) => ({ type: "entered", phase, at: AT }) as const),
)

/** All states that a history passes through, refused events left out. */
const history = (taken: ReadonlyArray<JobEvent>): ReadonlyArray<JobState> => {
  const passed: Array<JobState> = [queuedAt(0)]
  for (const event of taken) {
    const before = passed.at(-1) ?? queuedAt(0)
    passed.push(Either.getOrElse(advance(before, event), () => before))
  }
  return passed
}

describe("laws of any history", () => {
  const histories = { taken: FastCheck.array(anyEvent, { maxLength: 60 }) }

  it.prop("progress stays within 0 and 1 and never goes back within a run", histories, ({ taken }) => {
    const passed = history(taken)
    for (const [index, state] of passed.entries()) {
      assert.isTrue(state.progress >= 0 && state.progress <= 1)
      const before = passed[index - 1]
      if (before?.run === state.run) assert.isAtLeast(state.progress, before.progress)
    }
  })

  it.prop("an end is final: only a failed job moves, and then as its next run", histories, ({ taken }) => {
    const passed = history(taken)
    for (const [index, state] of passed.entries()) {
      const before = passed[index - 1]
      if (before === undefined || before.status === "queued") continue
      if (before.status === state.status)
        assert.deepStrictEqual({ ...state, expired: before.expired }, before)
      else
        assert.deepStrictEqual([before.status, state.status, state.run], ["failed", "queued", before.run + 1])
    }
  })

  it.prop("a job waits for credits exactly while it has a time since when", histories, ({ taken }) => {
    for (const state of history(taken)) {
      if (state.status !== "queued") continue
      assert.strictEqual(state.phase === "waiting_for_credits", state.waitingSince !== null)
    }
  })
})

it.each([
  [Number.NaN, 0.5],
  [-1, 0.5],
  [0.4, 0.5],
  [7, 1],
  [Number.POSITIVE_INFINITY, 1],
])("a reported progress of %d leaves it at %d", (progress, expected) => {
  const moved = advance(queued("decoding"), { type: "progressed", progress, at: AT })
  assert.strictEqual(Either.getOrThrow(moved).progress, expected)
})

it("gives up waiting for credits after 72 hours", () => {
  const waiting = queuedAt(1000, { creditsLacking: true })
  const end = 1000 + CREDITS_WAIT_SECONDS * 1000
  assert.isFalse(creditsWaitIsOver(waiting, end - 1))
  assert.isTrue(creditsWaitIsOver(waiting, end))
  assert.isFalse(creditsWaitIsOver(queuedAt(0), end))
})

it("remembers when work began and where the job failed", () => {
  const begun = Either.getOrThrow(advance(queuedAt(0), { type: "entered", phase: "fetching", at: 3 }))
  const later = Either.getOrThrow(advance(begun, { type: "entered", phase: "decoding", at: 8 }))
  assert.deepInclude(Either.getOrThrow(advance(later, { type: "canceled", at: 9 })), {
    startedAt: 3,
    stage: "decoding",
    completedAt: 9,
  })
})

it("remembers what was the matter with this very job, until it is tried again", () => {
  const detail = "The file has no audio track."
  const event: JobEvent = { type: "failed", code: "unsupported_media", detail, at: 9 }
  const ended = Either.getOrThrow(advance(queuedAt(0), event))
  assert.deepInclude(ended, { code: "unsupported_media", detail })
  assert.notProperty(Either.getOrThrow(advance(ended, { type: "retried", at: 10 })), "detail")
})
