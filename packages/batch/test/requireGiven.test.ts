import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { requireGiven } from "../src/reading/requireGiven.js"

const plain = { sources: ["talk.mp3"], state: "state" }

/** As a program without types calls it. */
const given = (options: object) => requireGiven(Object(options))

const subjectOf = (more: object) =>
  Effect.map(Effect.flip(given({ ...plain, ...more })), ({ _tag, reason, subject, message }) => {
    assert.deepStrictEqual([_tag, reason], ["BatchRefused", "option_invalid"])
    assert.isTrue(message.startsWith(`${subject}: `), message)
    return subject
  })

describe("what a program gives to a run", () => {
  for (const [more, subject] of [
    [{ formats: ["pdf"] }, "formats/0"],
    [{ sources: [5] }, "sources/0"],
    [{ sources: [""] }, "sources/0/source"],
    [{ sources: "talk.mp3" }, "sources"],
    [{ jobs: 0 }, "jobs"],
    [{ jobs: Number.NaN }, "jobs"],
    [{ options: { lang: "en" } }, "options/lang"],
    [{ options: { quality: "best" } }, "options/quality"],
    [{ fromats: ["txt"] }, "fromats"],
    [{ maxMinutes: -1 }, "maxMinutes"],
    [{ sources: [{ source: "talk.mp3", formats: ["pdf"] }] }, "sources/0/formats/0"],
  ] as const)
    it.effect(`is refused where ${subject} of ${JSON.stringify(more)} is wrong`, () =>
      Effect.map(subjectOf(more), (found) => assert.strictEqual(found, subject)),
    )

  it.effect("is taken with all that it may be", () =>
    given({
      ...plain,
      sources: [
        "talk.mp3",
        { source: "-", formats: ["srt"], episode: { guid: "1" }, options: { language: "en" } },
      ],
      formats: ["vtt", "txt"],
      options: { diarize: true, speakers: { min: 2, max: 2 }, startAt: 1000, channels: undefined },
      layout: { profile: undefined },
      names: { "Speaker 1": "Ann", "Speaker 2": null },
      episodes: { latest: 3 },
      jobs: 2,
      maxMinutes: 0,
      feedWatch: { everySeconds: 60, once: true, backlog: 0 },
      onEvent: () => Effect.void,
      explain: undefined,
      output: undefined,
    }),
  )
})
