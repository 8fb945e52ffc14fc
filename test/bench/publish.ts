/** Publishing 300 episodes of an hour as a static site, and doing it again where nothing has changed. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FinishedJob, writeSite } from "@earmark/batch"
import { exportTranscript } from "@earmark/core/captions"
import { effectiveOptions, ID_RANDOM_BYTES, makeId } from "@earmark/core/jobs"
import { siteFeed, tagFeed } from "@earmark/core/publishing"
import { chaptersOf } from "@earmark/core/text"
import { generatedRecording } from "@earmark/testkit"
import { Effect, Either } from "effect"
import { atMost, main, type Outcome, sized } from "./harness.js"

const EPISODES = sized(300, 3)
const TOPICS_OF_AN_HOUR = sized(13, 2)
const MEGABYTE = 1_000_000

const idOf = (episode: number): string => makeId("job", episode, new Uint8Array(ID_RANDOM_BYTES))

const jsonOf = (episode: number): ReadonlyArray<string | Uint8Array> => {
  const { transcript } = generatedRecording({ seed: episode, topics: TOPICS_OF_AN_HOUR, sentences: [30, 80] })
  const document = {
    ...transcript,
    id: idOf(episode),
    title: `Episode ${episode}`,
    chapters: chaptersOf(transcript),
  }
  return [...Either.getOrThrow(exportTranscript(document, { format: "json", wordLevel: true })).chunks]
}

const jobOf = (episode: number): FinishedJob => ({
  id: idOf(episode),
  status: "done",
  title: `Episode ${episode}`,
  source: {
    kind: "episode",
    url: `https://media.example/${episode}.mp3`,
    feed_url: "https://example.org/feed.xml",
    episode_guid: `episode ${episode}`,
    published_at: "2026-01-31T08:00:00.000Z",
  },
  options: { ...effectiveOptions({}), translate_to: null, start_at: null, end_at: null },
  language: "en",
  duration_seconds: 3600,
  word_count: 9000,
  billed_minutes: 60,
  cached: false,
  origin: "engine",
  engine: "scripted",
  metadata: null,
  batch_id: null,
  created_at: "2026-01-31T08:00:00.000Z",
  started_at: null,
  expires_at: null,
  completed_at: "2026-01-31T08:00:00.000Z",
  phase: null,
  progress: 1,
  error: null,
  failure: null,
  enrichment: {},
  integrity: null,
  warnings: [],
})

/** What work makes, the seconds that it takes, and those of the processor: others may use this machine too. */
const seconds = async <A>(work: () => Promise<A>) => {
  const [began, before] = [performance.now(), process.cpuUsage()]
  const made = await work()
  const { user, system } = process.cpuUsage(before)
  return { made, wall: (performance.now() - began) / 1000, processor: (user + system) / 1_000_000 }
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-bench-site-"))
  try {
    const episodes = Array.from({ length: EPISODES }, (_, index) => index + 1)
    const texts = new Map(episodes.map((episode) => [idOf(episode), jsonOf(episode)]))
    const library = {
      show: () => Effect.dieMessage("Only what has a summary is shown"),
      export: (id: string) => Effect.succeed(texts.get(id) ?? []),
    }
    const jobs = episodes.map(jobOf)
    const publish = () =>
      writeSite(library, jobs, {
        folder,
        title: "Bench",
        version: "0.1.0",
        baseUrl: "https://example.org/",
        feedOf: (site) => Effect.succeed([siteFeed(site.baseUrl, site)]),
      }).pipe(Effect.runPromise)
    const first = await seconds(publish)
    const again = await seconds(publish)
    const item = (episode: number) => `<item><guid>episode ${episode}</guid></item>\n`
    const feed = `<rss><channel>${Array.from({ length: sized(10_000, 10) }, (_, at) => item(at)).join("")}</channel></rss>`
    const tags = await seconds(async () =>
      tagFeed(feed, { tagsOf: () => ["<podcast:transcript/>"], isOwn: () => false }),
    )
    return [
      atMost(`${EPISODES} episodes as a site, s`, first.wall, 60),
      atMost(`${EPISODES} episodes as a site, s of the processor`, first.processor, 60),
      atMost(`${EPISODES} episodes as a site, MB`, first.made.bytes / MEGABYTE, 300),
      atMost("the same again, s", again.wall, 30),
      atMost("files written again where nothing has changed", again.made.written, 0),
      atMost("tags into a feed of 10,000 episodes, s", tags.wall, 1),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await main({ run })
