import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { because } from "../servers/because.js"
import { root } from "./earmark.js"
import { cannotHear } from "./recordings.js"
import { compareOn, utterances } from "./utterances.js"

const given = utterances(root)
const why =
  cannotHear ?? (given.length === 0 ? "needs recordings of people that are not part of the project" : null)

describe("recordings of people", () => {
  it.live.skipIf(why !== null)(
    `are heard from the file on as well as by the engine alone${because(why)}`,
    () =>
      Effect.map(compareOn(given), ({ words, bare, pipeline }) => {
        assert.isAbove(words, 80)
        assert.isAbove(bare, 0)
        assert.isAtMost(Math.round((pipeline - bare) * words), 0)
      }),
    300_000,
  )
})
