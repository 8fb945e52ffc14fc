import { type Episode, type EpisodeHints, matchEpisode, mergeEpisodes } from "@earmark/core/feeds"
import { leastCpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"

const DAY = 86_400_000

const episode = (more: Partial<Episode>): Episode => ({
  index: 0,
  title: null,
  guid: "guid",
  publishedAt: null,
  durationSeconds: null,
  audioUrl: "https://media.example/a.mp3",
  link: null,
  image: null,
  transcripts: [],
  details: null,
  ...more,
})

const nothing: EpisodeHints = {
  guid: null,
  audioUrl: null,
  link: null,
  title: null,
  publishedAt: null,
  durationSeconds: null,
}

const feed = [
  episode({
    guid: "1",
    title: "The Café: Part 1",
    audioUrl: "https://media.example/1.mp3?v=1",
    link: "https://show.example/1",
    publishedAt: 10 * DAY,
    durationSeconds: 600,
  }),
  episode({
    guid: "2",
    title: "Same",
    audioUrl: "https://media.example/2.mp3",
    link: "https://show.example/?p=2",
    publishedAt: 11 * DAY,
    durationSeconds: 700,
  }),
  episode({
    guid: "3",
    title: "Same",
    audioUrl: "https://media.example/3.mp3",
    link: "https://show.example/",
    publishedAt: 20 * DAY,
    durationSeconds: 800,
  }),
  episode({ guid: "3", title: "Twin", audioUrl: "https://media.example/4.mp3?id=1" }),
  episode({ guid: "5", title: "!!!", audioUrl: "https://media.example/4.mp3?id=2" }),
]

const found = (hints: Partial<EpisodeHints>) => {
  const matched = matchEpisode(feed, { ...nothing, ...hints })
  return matched.type === "found"
    ? feed.findIndex((one) => one.audioUrl === matched.episode.audioUrl)
    : matched.type
}

describe("which episode is meant", () => {
  const table: ReadonlyArray<readonly [string, Partial<EpisodeHints>, number | string]> = [
    ["nothing said", {}, "none"],
    ["guid", { guid: "2" }, 1],
    ["of two with one guid the newer", { guid: "3" }, 2],
    ["guid before all else", { guid: "1", audioUrl: "https://media.example/2.mp3", title: "Twin" }, 0],
    ["media over http", { audioUrl: "http://media.example/2.mp3" }, 1],
    ["media behind a counter", { guid: "?", audioUrl: "https://chrt.fm/track/A/media.example/2.mp3" }, 1],
    ["media with other parameters", { audioUrl: "https://media.example/1.mp3?v=2" }, 0],
    ["media that only its parameters tell apart", { audioUrl: "https://media.example/4.mp3" }, "ambiguous"],
    ["unknown media, then the title", { audioUrl: "https://media.example/9.mp3", title: "twin" }, 3],
    ["page", { link: "http://www.show.example/1/?utm_source=x#y" }, 0],
    ["page with a parameter", { link: "https://show.example/?p=2" }, 1],
    ["the front page of the site", { link: "https://show.example/" }, "none"],
    ["title without case, accents and marks", { title: " THE CAFE - part 1 " }, 0],
    ["title of two", { title: "Same" }, "ambiguous"],
    ["title and day", { title: "same", publishedAt: 11.9 * DAY }, 1],
    ["title and the day after", { title: "same", publishedAt: 12.9 * DAY }, 1],
    ["title and two days after", { title: "same", publishedAt: 13 * DAY }, "none"],
    ["title and length", { title: "Same", durationSeconds: 795 }, 2],
    ["title and another length", { title: "Same", durationSeconds: 794 }, "none"],
    ["title of marks alone", { title: "???" }, "none"],
  ]
  for (const [what, hints, expected] of table) {
    it(`${what}: ${expected}`, () => assert.strictEqual(found(hints), expected))
  }
})

describe("hostile addresses are compared at once", () => {
  const slashes = `https://show.example/${"/".repeat(200_000)}x`
  // Letters that a browser reads as others.
  const counters = `https://${"\uff50dst.fm/e/".repeat(270)}media.example/1.mp3`
  const hostile: Readonly<Record<string, readonly [Partial<Episode>, Partial<EpisodeHints>]>> = {
    "slashes in a page": [{ link: slashes }, { link: slashes }],
    "slashes in media": [{ audioUrl: slashes }, { audioUrl: `${slashes}y` }],
    "counters whose hosts are written in other letters": [
      { audioUrl: counters },
      { audioUrl: `${counters}?v=1` },
    ],
  }
  for (const [what, [said, hints]] of Object.entries(hostile)) {
    it(what, () => {
      const episodes = Array.from({ length: 100 }, (_, index) => episode({ guid: String(index), ...said }))
      assert.isBelow(
        leastCpuMilliseconds(() => matchEpisode(episodes, { ...nothing, ...hints })),
        200,
      )
    })
  }
})

describe("pages of one feed", () => {
  it("become one list, newest first, each episode once", () => {
    const merged = mergeEpisodes(
      [
        [feed[2] ?? episode({}), feed[0] ?? episode({})],
        [feed[1] ?? episode({}), feed[2] ?? episode({})],
      ],
      { now: 30 * DAY },
    )
    assert.deepStrictEqual(
      merged.map(({ guid, index }) => [guid, index]),
      [
        ["3", 0],
        ["2", 1],
        ["1", 2],
      ],
    )
  })

  it("an episode of the future comes last", () => {
    const merged = mergeEpisodes([feed.slice(0, 3)], { now: 15 * DAY })
    assert.deepStrictEqual(
      merged.map(({ guid }) => guid),
      ["2", "1", "3"],
    )
  })

  it.prop("give the same list however they are cut", [fc.array(fc.nat(30)), fc.nat(10)], ([days, cut]) => {
    const all = days.map((day, index) => episode({ guid: String(index), publishedAt: day * DAY }))
    const cutUp = mergeEpisodes([all.slice(0, cut), all.slice(cut)], { now: 30 * DAY })
    assert.deepStrictEqual(cutUp, mergeEpisodes([all], { now: 30 * DAY }))
    assert.lengthOf(cutUp, all.length)
  })
})
