import { hasTooManyJsonValues, MOST_JSON_VALUES } from "@earmark/core/requests"
import { cpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"

const isTooMany = (json: string) => hasTooManyJsonValues(Buffer.from(json))

const countOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((count: number, child) => count + countOf(child), 1)
    : 1

describe("the number of values of a JSON document", () => {
  it("counts members and elements, and nothing inside texts", () => {
    const list = (length: number) => JSON.stringify(Array.from({ length }, () => 1))
    assert.isFalse(isTooMany(list(MOST_JSON_VALUES / 2)))
    assert.isTrue(isTooMany(list(2 * MOST_JSON_VALUES)))
    assert.isTrue(isTooMany("[".repeat(MOST_JSON_VALUES)))
    for (const text of [",".repeat(100_000), `\\"${",[{".repeat(50_000)}`, `${"\\\\".repeat(100_000)}",[`]) {
      assert.isFalse(isTooMany(JSON.stringify({ text })))
    }
  })

  it.prop("is never counted too low", { value: FastCheck.jsonValue() }, ({ value }) => {
    const padded = [value, Array.from({ length: MOST_JSON_VALUES }, () => 0)]
    assert.isAbove(countOf(padded), MOST_JSON_VALUES)
    assert.isTrue(isTooMany(JSON.stringify(padded)))
  })

  it("is told at once, whatever the document is made of", () => {
    for (const piece of ['"', "\\", '\\"', '"\\', " ", '"a"', "1"]) {
      const json = Buffer.from(piece.repeat(Math.ceil((4 * 1024 * 1024) / piece.length)))
      const started = cpuMilliseconds()
      hasTooManyJsonValues(json)
      assert.isBelow(cpuMilliseconds() - started, 500, piece)
    }
  })
})
