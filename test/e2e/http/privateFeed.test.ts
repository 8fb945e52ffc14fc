/** A feed with a login, whole and by the episode: the media of its site need the login, too. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { JOBS, listOf, makeJob } from "./asking.js"
import { clientOf, ffmpegMissing, MEMBER, startWeb, type Web } from "./world.js"

let server: EarmarkServer
let web: Web
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  web = await startWeb()
  server = await startEarmark({ EARMARK_BILLING: "off" })
  call = clientOf(server)
}, 120_000)

afterAll(async () => {
  web?.stop()
  await server?.stop()
}, 60_000)

describe.skipIf(ffmpegMissing !== null)(`a feed with a login${because(ffmpegMissing)}`, () => {
  it("is transcribed whole, and what was transcribed alone is not transcribed again", async () => {
    const feed = `${web.base.replace("//", `//${MEMBER}@`)}/members/feed.xml`
    await makeJob({ server, web, call, store: {} }, { url: feed, episode_guid: "guid-1" })
    const made = await call("/api/v1/podcasts/transcribe", { body: { feed, episodes: "all" } })
    assert.strictEqual(made.status, 202, made.text)
    const ended = await Promise.all(
      listOf(made.body.transcriptions).map(({ id }) => call(`${JOBS}/${id}?wait=60`)),
    )
    assert.deepStrictEqual(
      ended.map(({ body }) => [body.title, body.status, body.origin]),
      [
        ["Episode 3", "done", "engine"],
        ["Episode 2", "done", "engine"],
        ["Episode 1", "done", "cache"],
      ],
    )
    const [known] = listOf((await call(`${JOBS}?limit=1`)).body.data)
    assert.notInclude(JSON.stringify([known, ...ended.map(({ text }) => text)]), "secret")
  }, 120_000)
})
