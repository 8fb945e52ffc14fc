/** The stream of an account: how each job ends, also where the stream breaks. */
import { type AccountEvent, EarmarkClient } from "@earmark/api/client"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Host, startHost } from "./agents/world.js"

const JOBS = 200

let host: Host

beforeAll(async () => {
  host = await startHost({ product: {}, freeCredits: 10_000, billing: false, slots: { eventStreams: 2 } })
})

afterAll(() => host.stop())

const newClient = async (scopes?: Parameters<Host["newKey"]>[0]) => {
  const { key } = await host.newKey(scopes)
  return { key, client: new EarmarkClient({ baseUrl: host.base, apiKey: key }) }
}

type Change = Extract<AccountEvent, { type: "job" }>

/** Reads until something holds, and answers everything that was read. */
const readUntil = async (
  events: AsyncIterable<AccountEvent>,
  isEnough: (read: ReadonlyArray<AccountEvent>) => boolean,
) => {
  const read: Array<AccountEvent> = []
  for await (const event of events) {
    read.push(event)
    if (isEnough(read)) break
  }
  return read
}

const changesIn = (read: ReadonlyArray<AccountEvent>): ReadonlyArray<Change> =>
  read.filter((event) => event.type === "job")

const endedIn = (read: ReadonlyArray<AccountEvent>): ReadonlySet<string> =>
  new Set(changesIn(read).flatMap(({ data }) => (data.status === "done" ? [data.id] : [])))

/** Some at a time: client and host share a process. */
const create = async (client: EarmarkClient, count: number) => {
  const ids: Array<string> = []
  const createSome = async () => {
    while (ids.length < count) {
      const number = ids.push("") - 1
      const { id } = await client.transcriptions.create({ url: `https://media.example/${number}.mp3` })
      ids[number] = id
    }
  }
  await Promise.all([createSome(), createSome(), createSome(), createSome()])
  return ids
}

describe("the stream of an account", () => {
  it(`tells how each of ${JOBS} jobs ends, and no job more than twice a second`, async () => {
    const { client } = await newClient()
    const times = new Map<string, Array<number>>()
    const reading = readUntil(client.transcriptions.eventsAll(), (read) => {
      const last = read.at(-1)
      if (last?.type === "job")
        times.set(last.data.id, [...(times.get(last.data.id) ?? []), performance.now()])
      return endedIn(read).size === JOBS
    })
    const ids = await create(client, JOBS)
    const read = await reading
    assert.sameMembers([...endedIn(read)], ids)
    for (const [id, [first = 0, ...more]] of times)
      for (const [at, time] of more.entries())
        assert.isAtLeast(time - (at === 0 ? first : (more[at - 1] ?? 0)), 400, id)
    assert.isTrue(read.some(({ type }) => type === "credits"))
  })

  it("goes on after a break without losing how a job ended meanwhile", async () => {
    const { client } = await newClient()
    const first = await readUntil(client.transcriptions.eventsAll(), () => true)
    const lastEventId = first.at(-1)?.id
    assert.match(lastEventId ?? "", /^\d+$/)
    const [during] = await create(client, 1)
    await client.waitFor(during ?? "")
    const second = await readUntil(client.transcriptions.eventsAll({ lastEventId }), (read) =>
      endedIn(read).has(during ?? ""),
    )
    assert.include([...endedIn(second)], during)
  })

  it("tells of a job that is canceled or deleted, and keeps accounts apart", async () => {
    const [{ client: ann }, { client: bob }] = [await newClient(), await newClient()]
    const [id = ""] = await create(ann, 1)
    await ann.waitFor(id)
    const aborted = new AbortController()
    const ofBob = bob.transcriptions.eventsAll({ signal: aborted.signal })
    const first = await ofBob.next()
    assert.strictEqual(first.value?.type, "credits")
    const events = ann.transcriptions.eventsAll()
    const deleted = readUntil(events, (read) => changesIn(read).some(({ data }) => data.status === "deleted"))
    await new Promise((resolve) => setTimeout(resolve, 200))
    await ann.transcriptions.delete(id)
    const last = (await deleted).at(-1)
    assert.deepStrictEqual(last?.data, { id, status: "deleted", phase: null, progress: 0 })
    const silent = Symbol("nothing")
    const waiting = ofBob.next().catch(() => null)
    const next = await Promise.race([
      waiting,
      new Promise((resolve) => setTimeout(() => resolve(silent), 700)),
    ])
    assert.strictEqual(next, silent)
    aborted.abort()
    await waiting
  })

  it("tells of a transcript that is corrected after it was done, and of a correction that is undone", async () => {
    const { client } = await newClient()
    const [id = ""] = await create(client, 1)
    await client.waitFor(id)
    const aborted = new AbortController()
    const events = client.transcriptions.eventsAll({ signal: aborted.signal })
    assert.strictEqual((await events.next()).value?.type, "credits")
    const told = async () => (await events.next()).value?.data
    const change = { id, status: "done", phase: null, progress: 1 }
    const operations = [{ type: "text", line: 0, text: "Corrected." }] as const
    const { revision } = await client.transcriptions.edit(id, { base_revision: 0, operations })
    assert.deepStrictEqual(await told(), change)
    await client.transcriptions.undoEdit(id, revision)
    assert.deepStrictEqual(await told(), change)
    aborted.abort()
  })

  it("says nothing of credits to a key that may not see them", async () => {
    const { client } = await newClient({ scopes: ["transcriptions:read", "transcriptions:write"] })
    const [id = ""] = await create(client, 1)
    const read = await readUntil(client.transcriptions.eventsAll({ lastEventId: "0" }), (all) =>
      endedIn(all).has(id),
    )
    assert.isTrue(read.every(({ type }) => type === "job"))
  })

  it("counts for the limit of streams of a key, together with those of jobs", async () => {
    const { key } = await newClient()
    const ask = () =>
      fetch(`${host.base}/api/v1/events`, {
        headers: { Authorization: `Bearer ${key}`, Accept: "text/event-stream" },
      })
    const open = [await ask(), await ask()]
    const third = await ask()
    assert.deepStrictEqual([...open.map(({ status }) => status), third.status], [200, 200, 429])
    await Promise.all(open.map(({ body }) => body?.cancel()))
    await third.body?.cancel()
  })
})
