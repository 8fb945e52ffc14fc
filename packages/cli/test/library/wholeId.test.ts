import { makeId } from "@earmark/core/jobs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { CommandFailed } from "../../src/CommandFailed.js"
import { serviceLibrary } from "../../src/library/serviceLibrary.js"

interface Job {
  readonly id: string
  readonly createdAt: number
}

const NOON = Date.UTC(2026, 10, 26, 12)

/** The id that is made at a moment, with these last digits; its job is stored a little later. */
const jobAt = (at: number, entropy = 0, storedAfter = 40): Job => ({
  id: makeId(
    "job",
    at,
    Uint8Array.from({ length: 10 }, (_, index) => (index === 9 ? entropy : 0)),
  ),
  createdAt: at + storedAfter,
})

/** A server that lists these jobs, newest first, a hundred at a time, as it is asked. */
const serverWith = (...jobs: ReadonlyArray<Job>) => {
  const asked: Array<URLSearchParams> = []
  const { idOf } = serviceLibrary({
    baseUrl: "http://127.0.0.1:1",
    apiKey: Redacted.make("em_test_none"),
    fetch: async (input) => {
      const { searchParams } = new URL(input instanceof Request ? input.url : input)
      asked.push(searchParams)
      const [after, before] = ["created_after", "created_before"].map((name) =>
        Date.parse(searchParams.get(name) ?? ""),
      )
      const found = jobs.filter(({ createdAt }) => createdAt >= (after ?? 0) && createdAt < (before ?? 0))
      const from = Number(searchParams.get("cursor") ?? 0)
      const limit = Number(searchParams.get("limit"))
      const more = from + limit < found.length
      return Response.json({
        data: found.slice(from, from + limit),
        next_cursor: more ? String(from + limit) : null,
      })
    },
  })
  return { asked, idOf }
}

const refusalOf = (answer: Effect.Effect<string, CommandFailed>) => Effect.flip(answer)

describe("the beginning of an id", () => {
  it.effect("stands for the one job of the server whose id begins so, of any length", () =>
    Effect.gen(function* () {
      const job = jobAt(NOON)
      const other = jobAt(NOON + 100 * 86_400_000)
      const { idOf, asked } = serverWith(other, job)
      for (const length of [7, 9, 13, 28]) assert.strictEqual(yield* idOf(job.id.slice(0, length)), job.id)
      assert.strictEqual(asked.length, 4)
    }),
  )

  it.effect("is looked for among jobs that were stored by a clock of another process", () =>
    Effect.gen(function* () {
      for (const away of [-50_000, 0, 50_000]) {
        const job = jobAt(NOON, 1, away)
        assert.strictEqual(yield* serverWith(job).idOf(job.id.slice(0, 28)), job.id)
      }
    }),
  )

  it.effect("is not asked for where it is a whole id, or no id of a job", () =>
    Effect.gen(function* () {
      const { idOf, asked } = serverWith(jobAt(NOON))
      for (const given of [jobAt(NOON, 5).id, "batch_01m8c2", "Tr_01m8c2", "tr_01m8u2"])
        assert.strictEqual(yield* idOf(given), given)
      assert.lengthOf(asked, 0)
    }),
  )

  it.effect(
    "stays as it is where no job of the server begins so, at whatever moment that would have been",
    () =>
      Effect.gen(function* () {
        const { idOf, asked } = serverWith(jobAt(NOON))
        for (const given of ["tr_0000", "tr_zzzz", "tr_zzzzzzzzzzzz"])
          assert.strictEqual(yield* idOf(given), given)
        const times = asked.flatMap((query) => [query.get("created_after"), query.get("created_before")])
        assert.lengthOf(times, 6)
        for (const time of times) assert.match(time ?? "", /^(?:19[7-9]|[2-9]\d\d)\d-\d\d-\d\dT/)
      }),
  )

  it.effect("needs four characters", () =>
    Effect.gen(function* () {
      const { idOf, asked } = serverWith(jobAt(NOON))
      for (const given of ["tr_", "tr_0", "tr_01m"]) {
        const { message, exitCode } = yield* refusalOf(idOf(given))
        assert.strictEqual(exitCode, 1)
        assert.strictEqual(
          message,
          `${given} is too little of an id: give at least four characters behind tr_. [ambiguous_id]`,
        )
      }
      assert.lengthOf(asked, 0)
    }),
  )

  it.effect("names up to three of several that begin so, and counts them all", () =>
    Effect.gen(function* () {
      const jobs = [0, 1, 2, 3].map((entropy) => jobAt(NOON, entropy))
      const given = jobs[0]?.id.slice(0, 20) ?? ""
      const two = yield* refusalOf(serverWith(...jobs.slice(0, 2)).idOf(given))
      assert.strictEqual(
        two.message,
        `${given} is the beginning of 2 ids: ${jobs[0]?.id}, ${jobs[1]?.id}. Give more of the one that is meant. [ambiguous_id]`,
      )
      const four = yield* refusalOf(serverWith(...jobs).idOf(given))
      const named = jobs.slice(0, 3).map(({ id }) => id)
      assert.include(four.message, `is the beginning of 4 ids: ${named.join(", ")}, .... Give more`)
    }),
  )

  it.effect("is looked for on ten pages, and no further", () =>
    Effect.gen(function* () {
      // Made within the same second as the one that is meant, which was stored first and is listed last.
      const job = jobAt(NOON, 7)
      const crowd = (count: number) => Array.from({ length: count }, (_, at) => jobAt(NOON + 1000 + at))
      const given = job.id.slice(0, 28)
      const { idOf, asked } = serverWith(...crowd(999), job)
      assert.strictEqual(yield* idOf(given), job.id)
      assert.lengthOf(asked, 10)
      const full = serverWith(...crowd(1000), job)
      const { message, exitCode } = yield* refusalOf(full.idOf(given))
      assert.strictEqual(exitCode, 2)
      assert.strictEqual(
        message,
        `Too many transcriptions of this server were made when ids began with ${given}. Give more of the id.`,
      )
      assert.lengthOf(full.asked, 10)
    }),
  )
})
