import { ServiceConfig } from "@earmark/service"
import { assert, it } from "@effect/vitest"
import { sort } from "../../src/useCases/skipping.js"

const limits = { maxMediaMinutes: 60, maxUploadBytes: null, maxWaitingJobs: null }

const episode = (guid: string, mediaUrl: string, durationSeconds: number | null = null) => ({
  shown: { kind: "episode" } as const,
  title: guid,
  mediaUrl,
  identity: mediaUrl,
  isPublic: true,
  durationSeconds,
  language: null,
  captions: [],
  guid,
  index: 0,
  publishedAt: null,
  link: null,
  image: null,
})

it("what cannot become a job is skipped, each with its reason", () => {
  const { taken, skipped } = sort(
    [
      episode("fine", "https://a.example/1.mp3"),
      episode("again", "https://a.example/1.mp3"),
      episode("long", "https://a.example/2.mp3", 3_601),
      episode("inside", "http://10.0.0.1/3.mp3"),
      episode("relative", "media/4.mp3"),
      episode("elsewhere", "ftp://a.example/5.mp3"),
    ],
    limits,
    ServiceConfig.defaults,
  )
  assert.deepStrictEqual(
    taken.map(({ guid }) => guid),
    ["fine"],
  )
  assert.deepStrictEqual(
    skipped.map(({ guid, reason }) => [guid, reason]),
    [
      ["again", "duplicate"],
      ["long", "too_long"],
      ["inside", "blocked_address"],
      ["relative", "no_media"],
      ["elsewhere", "no_media"],
    ],
  )
})
