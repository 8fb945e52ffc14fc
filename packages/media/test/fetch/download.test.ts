import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readdir, stat } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { Fetcher } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { withProgram } from "../../../../test/servers/withProgram.js"
import { door, requestFor } from "./doors.js"
import { type FileServer, fileListener, hashOf, hashOfFile, temporaryDirectory } from "./files.js"
import { httpServer } from "./servers.js"

const program = withProgram(new URL("downloader.ts", import.meta.url))

const file = (more: Partial<FileServer> = {}): FileServer => ({
  bytes: randomBytes(300_000),
  etag: '"v1"',
  breaksAfter: null,
  claimedTotal: null,
  honoursRanges: true,
  ...more,
})

/** Answers a piece at a time, so that there is time to be killed. */
const slowly = (response: ServerResponse): ServerResponse => {
  const end = response.end.bind(response)
  const send = (rest: Uint8Array) => {
    if (rest.length === 0) end()
    else response.write(rest.subarray(0, 50_000), () => setTimeout(send, 10, rest.subarray(50_000)))
  }
  return Object.defineProperty(response, "end", { value: send })
}

/** A server of a file that can be changed, a place for it, and what was asked. */
const world = (first: FileServer) =>
  Effect.gen(function* () {
    const ranges: Array<string | null> = []
    const state = { current: first }
    const directory = yield* temporaryDirectory
    const path = `${directory}/episode`
    const { port } = yield* httpServer(fileListener(() => state.current, ranges, `${path}.part`))
    const fetcher = yield* Fetcher
    const get = (more = {}) =>
      fetcher.download(requestFor(`http://127.0.0.1:${port}/a.mp3?key=s3cret`, more), path)
    const names = Effect.promise(() => readdir(directory))
    return { ranges, state, path, port, get, names }
  })

describe("a download", () => {
  it.scopedLive("is the bytes in a file, and nothing beside it", () =>
    Effect.gen(function* () {
      const { state, path, get, names, port } = yield* world(file())
      assert.deepStrictEqual(yield* get(), {
        bytes: 300_000,
        contentType: "audio/mpeg",
        url: `http://127.0.0.1:${port}/a.mp3?key=s3cret`,
      })
      assert.strictEqual(yield* hashOfFile(path), hashOf(state.current.bytes))
      assert.deepStrictEqual(yield* names, ["episode"])
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive("goes on where the connection broke, in one call", () =>
    Effect.gen(function* () {
      const { state, path, get, ranges } = yield* world(file({ breaksAfter: 130_000 }))
      yield* get()
      assert.strictEqual(yield* hashOfFile(path), hashOf(state.current.bytes))
      assert.strictEqual(ranges.length, 3)
      assert.match(ranges[1] ?? "", /^bytes=[1-9]\d*-$/)
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive("starts over when the file has changed meanwhile", () =>
    Effect.gen(function* () {
      const { state, path, get } = yield* world(file({ breaksAfter: 10_000 }))
      yield* Effect.flip(get({ deadline: 5000 }))
      state.current = file({ bytes: randomBytes(200_000), etag: '"v2"' })
      assert.strictEqual((yield* get()).bytes, 200_000)
      assert.strictEqual(yield* hashOfFile(path), hashOf(state.current.bytes))
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive("starts over with a server that knows no ranges, or gives nothing to tell versions by", () =>
    Effect.gen(function* () {
      for (const more of [{ honoursRanges: false }, { etag: null }, { etag: 'W/"weak"' }]) {
        const { state, path, get, ranges } = yield* world(file({ ...more, breaksAfter: 100_000 }))
        yield* Effect.flip(get())
        state.current = { ...state.current, breaksAfter: null }
        yield* get()
        assert.strictEqual(yield* hashOfFile(path), hashOf(state.current.bytes), JSON.stringify(more))
        if (!("honoursRanges" in more)) assert.deepStrictEqual(ranges, [null, null])
      }
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive("does not believe a server whose file has another length all of a sudden", () =>
    Effect.gen(function* () {
      const { state, path, get, ranges } = yield* world(file({ breaksAfter: 20_000 }))
      yield* Effect.flip(get())
      state.current = { ...state.current, breaksAfter: null, claimedTotal: 999_999 }
      const before = ranges.length
      yield* get()
      assert.deepStrictEqual(
        ranges.slice(before).map((range) => range !== null),
        [true, false],
      )
      assert.strictEqual(yield* hashOfFile(path), hashOf(state.current.bytes))
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive("leaves nothing when the answer is a refusal or too large", () =>
    Effect.gen(function* () {
      const { get, names } = yield* world(file())
      const refused = yield* Effect.flip(get({ maxBytes: 299_999 }))
      assert.deepInclude(refused, { reason: "too_large", isTransient: false })
      assert.deepStrictEqual(yield* names, [])
      const directory = yield* temporaryDirectory
      const { port } = yield* httpServer((_, response) =>
        response.writeHead(429, { "retry-after": "7" }).end(),
      )
      const fetcher = yield* Fetcher
      const url = `http://127.0.0.1:${port}/a.mp3?key=s3cret`
      const failure = yield* Effect.flip(fetcher.download(requestFor(url), `${directory}/episode`))
      assert.deepInclude(failure, { reason: "status", status: 429, retryAfter: 7000, isTransient: true })
      assert.notInclude(failure.message, "s3cret")
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(directory)), [])
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive(
    "survives a kill in the middle, again and again",
    () =>
      Effect.gen(function* () {
        const bytes = randomBytes(3_000_000)
        const ranges: Array<string | null> = []
        const served = fileListener(() => file({ bytes }), ranges, "")
        const { port } = yield* httpServer((request, response) => {
          // Slow enough to be killed: a piece at a time.
          served(request, slowly(response))
        })
        const directory = yield* temporaryDirectory
        const path = `${directory}/episode`
        const start = () =>
          spawn(process.execPath, [program(), `http://127.0.0.1:${port}/a.mp3`, path], { stdio: "ignore" })
        const grown = (to: number) =>
          Effect.promise(() =>
            stat(`${path}.part`).then(
              ({ size }) => size,
              () => 0,
            ),
          ).pipe(Effect.repeat({ schedule: Schedule.spaced("5 millis"), until: (size) => size >= to }))
        const ended = (child: ChildProcess) =>
          Effect.async<number | null>(
            (resume) => void child.once("exit", (code) => resume(Effect.succeed(code))),
          )
        for (const share of [0.2, 0.4, 0.6]) {
          const child = start()
          yield* grown(bytes.length * share)
          child.kill("SIGKILL")
          yield* ended(child)
        }
        assert.strictEqual(yield* ended(start()), 0)
        assert.strictEqual(yield* hashOfFile(path), hashOf(bytes))
        assert.deepStrictEqual(
          ranges.map((range) => range !== null),
          [false, true, true, true],
        )
        assert.isAbove(Number(/\d+/.exec(ranges.at(-1) ?? "")?.[0]), bytes.length * 0.6 - 1)
      }),
    120_000,
  )
})
