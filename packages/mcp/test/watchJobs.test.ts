import { decodeCreate } from "@earmark/core/wire"
import { makeJobNews } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Either, Runtime } from "effect"
import type { Change } from "../src/server/Changes.js"
import { watchJobs } from "../src/server/watchJobs.js"
import { callerOf, startWorld, type World } from "./world.js"

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Somebody who listens to a new account. */
const listening = async (given: { readonly everySeconds: number; readonly hearsOthers: boolean }) => {
  const account = await world.newAccount()
  const backend = world.backendFor({ ...callerOf(account), isTest: true })
  const carrier = { tellOthers: () => Effect.void, hearsOthers: Effect.succeed(given.hearsOthers) }
  const { news, hear } = await Effect.runPromise(makeJobNews(carrier))
  let looks = 0
  const counted: typeof backend = {
    ...backend,
    ask: (id, request, once) =>
      Effect.ensuring(
        backend.ask(id, request, once),
        Effect.sync(() => {
          if (id === "transcriptions.list") looks += 1
        }),
      ),
  }
  const heard: Array<Change> = []
  let tell = () => {}
  const changes = watchJobs(() => counted, { ...given, runtime: Runtime.defaultRuntime, news })
  const stop = changes.listen(account, (change) => {
    heard.push(change)
    tell()
  })
  /** The next that is heard, and what was heard with it. */
  const next = async () => {
    if (heard.length === 0) {
      await new Promise<void>((resolve) => {
        tell = resolve
      })
    }
    return heard.splice(0)
  }
  const create = async () => {
    const url = "https://a.example/talk.mp3?seconds=60"
    const request = Either.getOrThrow(decodeCreate({ url }))
    const { id } = await world.runtime.runPromise(backend.ask("transcriptions.create", { body: request }))
    await world.runtime.runPromise(backend.get(id, 30))
    return id
  }
  // The first look is what later ones are compared with.
  while (looks === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  return {
    account,
    heard,
    next,
    create,
    stop,
    looks: () => looks,
    hear: (it: Parameters<typeof hear>[0]) => Effect.runPromise(hear(it)),
  }
}

describe("who listens to an account", () => {
  it("is told as soon as it is said that something has changed, and not before", async () => {
    const { account, heard, next, create, hear, stop, looks } = await listening({
      everySeconds: 3600,
      hearsOthers: true,
    })
    const id = await create()
    await hear({ account: await world.newAccount(), job: id })
    assert.deepStrictEqual([heard, looks()], [[], 1])
    await hear({ account, job: id })
    assert.deepStrictEqual(await next(), [{ account, id, kind: "created" }])
    const second = await create()
    await hear("missed")
    assert.deepStrictEqual(await next(), [{ account, id: second, kind: "created" }])
    stop()
  })

  it("is told of jobs that are too old to be looked at, and of credits", async () => {
    const { account, next, hear, stop } = await listening({ everySeconds: 3600, hearsOthers: true })
    const old = "tr_01m7wyp1y2f0tjqr8yyb1x18kq"
    await hear({ account, job: old })
    assert.deepStrictEqual(await next(), [{ account, id: old, kind: "updated" }])
    await hear({ account, job: null })
    assert.deepStrictEqual(await next(), [{ account, kind: "credits" }])
    stop()
  })

  it("is told by looking where other processes are not heard", async () => {
    const { account, next, create, stop } = await listening({ everySeconds: 0.05, hearsOthers: false })
    const id = await create()
    assert.deepInclude(await next(), { account, id, kind: "created" })
    stop()
  })
})
