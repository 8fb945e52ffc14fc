import type { TranscriptionSummary } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import { heldOrder, type Jobs, runningFirst, sectionsOf, withPage } from "../src/pages/Transcripts/jobList.js"

/** What the list reads of a job. */
const job = (minute: number, status: "queued" | "done" = "done", title = "") => {
  const made: unknown = { id: `tr_${minute}`, created_at: `2026-11-23T10:${minute}:00Z`, status, title }
  return made as TranscriptionSummary
}

const minutes = (jobs: Jobs) => jobs.map(({ id }) => Number(id.slice(3)))
const page = (data: Jobs, has_more = true) => ({ data, has_more })

describe("the list of transcripts", () => {
  it("grows by pages, and is read again without gaps when new ones push others off the first page", () => {
    const first = withPage([], page([job(30), job(29)]), null)
    const both = withPage(first, page([job(28), job(27)]), job(29))
    assert.deepStrictEqual(minutes(both), [30, 29, 28, 27])
    assert.deepStrictEqual(minutes(withPage(both, page([job(32), job(31)]), null)), [32, 31, 30, 29, 28, 27])
  })

  it("loses what was deleted on a page, at its edges and behind the last", () => {
    const all = [job(30), job(29), job(28), job(27)]
    assert.deepStrictEqual(minutes(withPage(all, page([job(30), job(28)]), null)), [30, 28, 27])
    assert.deepStrictEqual(minutes(withPage(all, page([job(29), job(28)]), null)), [29, 28, 27])
    assert.deepStrictEqual(minutes(withPage(all, page([job(27)], false), job(29))), [30, 29, 27])
    assert.deepStrictEqual(minutes(withPage(all, page([], false), job(29))), [30, 29])
    assert.deepStrictEqual(withPage(all, page([], false), null), [])
  })

  it("keeps the objects of jobs that did not change", () => {
    const all = [job(30), job(29, "queued")]
    const [one, other] = withPage(all, page([job(30), job(29, "done")]), null)
    assert.strictEqual(one, all[0])
    assert.strictEqual(other?.status, "done")
  })

  it("has what runs first, and no job moves while somebody points at one", () => {
    const shown = runningFirst([job(30), job(29, "queued"), job(28)])
    assert.deepStrictEqual(minutes(shown), [29, 30, 28])
    const held = heldOrder(shown, [job(31, "queued"), job(30), job(29), job(28), job(27)])
    assert.deepStrictEqual(minutes(held.shown), [29, 30, 28, 27])
    assert.strictEqual(held.waiting, 1)
    assert.strictEqual(held.shown[0]?.status, "done")
    assert.deepStrictEqual(minutes(heldOrder(shown, [job(30), job(28)]).shown), [30, 28])
  })

  it("keeps its sections but one when a job comes or goes", () => {
    const all = Array.from({ length: 5000 }, (_, at) => job(10_000 - at))
    const sections = sectionsOf(all)
    assert.deepStrictEqual(
      sections.flatMap(({ jobs }) => jobs),
      all,
    )
    assert.isAbove(sections.length, 50)
    assert.isBelow(sections.length, 200)
    assert.isAtMost(Math.max(...sections.map(({ jobs }) => jobs.length)), 150)
    const same = (changed: Jobs) => {
      const before = new Set(sections.map(({ key, jobs }) => `${key} ${minutes(jobs).join()}`))
      return sectionsOf(changed).filter(({ key, jobs }) => !before.has(`${key} ${minutes(jobs).join()}`))
        .length
    }
    assert.isAtMost(same([job(10_001), ...all]), 2)
    assert.isAtMost(same(all.filter((_, at) => at !== 2500)), 3)
    assert.isAtMost(same(runningFirst(all.map((each, at) => (at === 700 ? job(9300, "queued") : each)))), 4)
  })
})
