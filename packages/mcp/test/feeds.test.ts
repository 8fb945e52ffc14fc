/** Episodes of a feed, what a run over them would take, and the run. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Answer, caller, listAt, textAt } from "./calling.js"
import { callerOf, startWorld, type World } from "./world.js"

const FEED = "https://a.example/feed?episodes=3&seconds=90"

let world: World
let call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Answer>

beforeAll(async () => {
  world = await startWorld()
  call = await caller(await world.connect(callerOf(await world.newAccount())))
})
afterAll(() => world?.stop())

describe("the tools for feeds", () => {
  it("list the episodes of a feed, and transcribe it", async () => {
    const listed = await call("list_podcast_episodes", { feed: FEED, limit: 2 })
    assert.deepInclude(listed.data, { total: 3, returned: 2 })
    const rest = await call("list_podcast_episodes", {
      feed: FEED,
      limit: 2,
      cursor: listed.data.next_cursor,
    })
    assert.strictEqual(textAt(rest.data, "episodes", 0, "guid"), "episode-1")
    const many = await call("list_podcast_episodes", {
      feed: "https://a.example/feed?episodes=900",
      limit: 200,
    })
    assert.isAtMost(Number(many.data.returned), 200)
    const plan = await call("transcribe_podcast_feed", { feed: FEED, episodes: 2, dry_run: true })
    assert.deepInclude(plan.data, {
      total: 2,
      estimated_credits: 4,
      estimated_minutes: 4,
      unknown_lengths: 0,
    })
    assert.notProperty(plan.data, "batch_id")
    const run = await call("transcribe_podcast_feed", { feed: FEED, episodes: "all" })
    assert.strictEqual(listAt(run.data, "transcriptions").length, 3)
    const stopped = await call("cancel_transcription", { batch_id: run.data.batch_id })
    assert.strictEqual(Number(stopped.data.canceled) + Number(stopped.data.already_finished), 3)
    const again = await call("cancel_transcription", { batch_id: run.data.batch_id })
    assert.strictEqual(again.data.canceled, 0)
  })

  it("ask for no estimate where the feed does not say how long its episodes are", async () => {
    const plan = await call("transcribe_podcast_feed", {
      feed: "https://a.example/feed?episodes=2&unknown",
      episodes: 2,
      dry_run: true,
    })
    assert.notProperty(plan.data, "estimated_credits")
    assert.strictEqual(textAt(plan.data, "next_step"), "To start it, repeat the call without dry_run.")
    assert.include(
      plan.text,
      "2 episodes would be transcribed. The feed does not say how long its episodes are.\n",
    )
  })
})
