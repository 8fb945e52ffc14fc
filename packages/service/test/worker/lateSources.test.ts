import { SourceRefused, SourceResolver } from "@earmark/service"
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { create, get, inWorld, newAccount, pass, stored, withWorker } from "../world.js"

const feedUrl = "https://a.example/feed.xml"

/** A feed that does not answer at first, and then has another latest episode each time it is asked. */
const busyFeed = Layer.sync(SourceResolver, () => {
  let asked = 0
  return SourceResolver.of({
    resolve: () =>
      Effect.suspend(() => {
        asked += 1
        if (asked === 1) {
          const detail = "The feed does not answer"
          return Effect.fail(
            new SourceRefused({ code: "feed_invalid", failure: "download_failed", detail, later: true }),
          )
        }
        const url = `https://a.example/${asked}.mp3?seconds=60`
        return Effect.succeed({
          shown: { kind: "episode", url, feedUrl, episodeGuid: `guid-${asked}` } as const,
          title: `Episode ${asked}`,
          mediaUrl: url,
          identity: url,
          isPublic: true,
          durationSeconds: 60,
          language: null,
          captions: [],
        })
      }),
    feed: () => Effect.dieMessage("nobody asks for it"),
    readFeed: () => Effect.dieMessage("nobody asks for it"),
    captions: () => Effect.succeed(null),
  })
})

it.effect("a source that is resolved late is resolved once, however many attempts follow", () =>
  Effect.gen(function* () {
    const account = yield* newAccount()
    const { id } = yield* create(account, { url: feedUrl })
    assert.deepInclude(yield* get(account, id), { title: null })
    yield* withWorker(pass("20 minutes"))
    assert.isAbove((yield* stored(account, id)).attempts, 1)
    const job = yield* get(account, id)
    assert.deepInclude(job, { title: "Episode 2", durationSeconds: 60 })
    assert.deepInclude(job.source, { kind: "episode", episodeGuid: "guid-2", feedUrl })
  }).pipe(inWorld({ resolver: busyFeed, engine: { crash: 1 }, worker: { pollEvery: Duration.seconds(20) } })),
)
