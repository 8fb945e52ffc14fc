import { randomBytes, randomUUID } from "node:crypto"
import { request as httpRequest } from "node:http"
import { AccountId } from "@earmark/core/jobs"
import { makeMediaRef } from "@earmark/core/wire"
import { ObjectStore } from "@earmark/service"
import { objectStoreContract } from "@earmark/testkit/contracts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Stream } from "effect"
import { FetcherNode, ObjectStoreS3, type ObjectStoreS3Options } from "../../src/index.js"
import { hashOf } from "../fetch/files.js"
import { httpServer } from "../fetch/servers.js"
import { heldMegabytes, LARGE_BYTES, largeBody } from "./large.js"
import { customer, expectedSignature, newState, s3Listener } from "./s3Server.js"

const contentType = "audio/mpeg"
const newKey = () =>
  makeMediaRef(AccountId.make("acct_01k00000000000000000000000"), randomUUID(), contentType)

const storeAt = (
  port: number,
  more: Partial<ObjectStoreS3Options> = {},
  resolve = async () => ["127.0.0.1"],
) =>
  ObjectStoreS3.layer({
    ...customer,
    url: `http://127.0.0.1:${port}`,
    secret: Redacted.make(customer.secret),
    ...more,
  }).pipe(Layer.provide(FetcherNode.layer({ resolve })))

const served = (more: Partial<ObjectStoreS3Options> = {}) =>
  Layer.unwrapScoped(Effect.map(httpServer(s3Listener(newState())), ({ port }) => storeAt(port, more)))

const backend = { now: Effect.succeed(0), advance: () => Effect.void }
objectStoreContract("S3, whole", { layer: served(), ...backend })
objectStoreContract("S3, in parts", { layer: served({ partBytes: 150 }), ...backend })

const bodyOf = (bytes: Uint8Array) => Stream.make(bytes)

const readAll = (objects: ObjectStore["Type"], key: string) =>
  Effect.map(Stream.runCollect(objects.read(key)), (chunks) => Buffer.concat([...chunks]))

/** Sends bytes to a presigned address, as a client would; answers the status. */
const clientPut = (url: string, type: string, body: Uint8Array) =>
  Effect.async<number>((resume) => {
    const headers = { "content-type": type, "content-length": body.length }
    httpRequest(url, { method: "PUT", headers, agent: false }, (response) => {
      response.resume().on("end", () => resume(Effect.succeed(response.statusCode ?? 0)))
    }).end(body)
  })

describe("the server of these tests", () => {
  it("works signatures out as the documentation does", () => {
    const headers: Readonly<Record<string, string>> = { host: "examplebucket.s3.amazonaws.com" }
    const claims = {
      credential: "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request",
      signedHeaders: ["host"],
      signature: "",
      datetime: "20130524T000000Z",
      payload: "UNSIGNED-PAYLOAD",
      expires: 86_400,
    }
    const target =
      "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
    assert.strictEqual(
      expectedSignature(
        { method: "GET", target, header: (name) => headers[name] ?? "" },
        claims,
        customer.secret,
      ),
      "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    )
  })
})

describe("a bucket", () => {
  it.scopedLive("is asked for once, with the key, whether or not it is there", () =>
    Effect.gen(function* () {
      const state = newState()
      const { port } = yield* httpServer(s3Listener(state))
      const asked = (more: Partial<ObjectStoreS3Options> = {}) =>
        ObjectStoreS3.bucketStatus({
          ...customer,
          url: `http://127.0.0.1:${port}`,
          secret: Redacted.make(customer.secret),
          ...more,
        }).pipe(Effect.provide(FetcherNode.layer()))
      assert.strictEqual(yield* asked(), 200)
      assert.strictEqual(yield* asked({ bucket: "other" }), 404)
      assert.strictEqual(yield* asked({ secret: Redacted.make("wrong") }), 403)
      state.failures = 1
      assert.strictEqual(yield* asked(), 503)
      assert.strictEqual(state.requests.length, 4)
    }),
  )
})

describe("objects in a bucket", () => {
  it.scopedLive("are found by path or by host, below a path, and with credentials for a while", () =>
    Effect.gen(function* () {
      const state = newState()
      const { port } = yield* httpServer(s3Listener(state))
      const forms: ReadonlyArray<Partial<ObjectStoreS3Options>> = [
        {},
        { url: `http://127.0.0.1:${port}/below/here/` },
        { url: `http://s3.test:${port}`, addressing: "host" },
        { sessionToken: Redacted.make("a+b/c==") },
      ]
      for (const form of forms) {
        const key = newKey()
        yield* Effect.gen(function* () {
          const objects = yield* ObjectStore
          const bytes = randomBytes(100)
          yield* objects.put({ key, contentType, bytes: 100 }, bodyOf(bytes))
          assert.isTrue(bytes.equals(yield* readAll(objects, key)))
        }).pipe(Effect.provide(storeAt(port, form)))
      }
      assert.isTrue(
        state.requests.some((request) => request.startsWith(`PUT /below/here/${customer.bucket}/uploads/`)),
      )
      assert.isTrue(state.requests.some((request) => request.startsWith("PUT /uploads/")))
    }),
  )

  it.scopedLive("are refused with the wrong secret or region, without a word of either", () =>
    Effect.gen(function* () {
      const { port } = yield* httpServer(s3Listener(newState()))
      for (const wrong of [
        { secret: Redacted.make("s3cret-key") },
        { region: "us-east-1" },
        { key: "AKIAOTHER" },
      ]) {
        const failure = yield* Effect.gen(function* () {
          const objects = yield* ObjectStore
          return yield* Effect.flip(
            objects.put({ key: newKey(), contentType, bytes: 1 }, bodyOf(Buffer.from("x"))),
          )
        }).pipe(Effect.provide(storeAt(port, wrong)))
        assert.deepInclude(failure, { _tag: "StorageError", reason: "broken" })
        assert.notInclude(JSON.stringify(failure), "s3cret-key")
      }
    }),
  )

  it.scopedLive("come through a server that is busy for a moment, and through broken connections", () =>
    Effect.gen(function* () {
      const state = newState()
      const { port } = yield* httpServer(s3Listener(state))
      const key = newKey()
      const bytes = randomBytes(900_000)
      yield* Effect.gen(function* () {
        const objects = yield* ObjectStore
        state.failures = 2
        yield* objects.put({ key, contentType, bytes: bytes.length }, bodyOf(bytes))
        state.breaks = 2
        assert.strictEqual(hashOf(yield* readAll(objects, key)), hashOf(bytes))
        assert.isAbove(state.requests.filter((request) => request.startsWith("GET")).length, 2)
      }).pipe(Effect.provide(storeAt(port, { partBytes: 300_000 })))
    }),
  )

  it.scopedLive("leave nothing behind when their upload ends early", () =>
    Effect.gen(function* () {
      const state = newState()
      const { port } = yield* httpServer(s3Listener(state))
      yield* Effect.gen(function* () {
        const objects = yield* ObjectStore
        const body = Stream.concat(bodyOf(randomBytes(1000)), Stream.fail("broken" as const))
        const put = objects.put({ key: newKey(), contentType, bytes: 5000 }, body)
        assert.strictEqual(yield* Effect.flip(put), "broken")
        const stuck = Stream.concat(bodyOf(randomBytes(1000)), Stream.never)
        yield* objects
          .put({ key: newKey(), contentType, bytes: 5000 }, stuck)
          .pipe(Effect.timeoutOption("1 second"))
        assert.isTrue(state.requests.some((request) => request.startsWith("DELETE")))
        assert.deepStrictEqual([state.uploads.size, state.objects.size], [0, 0])
      }).pipe(Effect.provide(storeAt(port, { partBytes: 300 })))
    }),
  )

  it.scopedLive(
    "of gigabytes are sent in constant memory",
    () =>
      Effect.gen(function* () {
        const { port } = yield* httpServer(s3Listener(newState(true)))
        yield* Effect.gen(function* () {
          const objects = yield* ObjectStore
          const before = heldMegabytes()
          let most = before
          const watched = Stream.tap(largeBody, () =>
            Effect.sync(() => {
              most = Math.max(most, heldMegabytes())
            }),
          )
          yield* objects.put({ key: newKey(), contentType, bytes: LARGE_BYTES }, watched)
          // The server holds a part or two as well: it is in the same process.
          assert.isBelow(most - before, 150)
        }).pipe(Effect.provide(storeAt(port)))
      }),
    120_000,
  )

  it.scopedLive(
    "may be put by clients themselves, when that is switched on: exactly the bytes that were announced",
    () =>
      Effect.gen(function* () {
        const { port } = yield* httpServer(s3Listener(newState()))
        const key = newKey()
        const bytes = randomBytes(100)
        yield* Effect.gen(function* () {
          const objects = yield* ObjectStore
          assert.isUndefined(objects.presignPut)
          assert.isUndefined(objects.presignGet)
        }).pipe(Effect.provide(storeAt(port)))
        yield* Effect.gen(function* () {
          const objects = yield* ObjectStore
          const url = yield* objects.presignPut?.({ key, contentType, bytes: 100 }, 60) ?? Effect.succeed("")
          assert.strictEqual(yield* clientPut(url, "video/mp4", bytes), 403)
          assert.strictEqual(yield* clientPut(url, contentType, bytes.subarray(1)), 403)
          assert.strictEqual(yield* clientPut(url.replace(key, newKey()), contentType, bytes), 403)
          assert.strictEqual(
            yield* clientPut(url.replace("Expires=60", "Expires=90"), contentType, bytes),
            403,
          )
          assert.strictEqual(yield* objects.head(key), null)
          assert.strictEqual(yield* clientPut(url, contentType, bytes), 200)
          assert.deepInclude(yield* objects.head(key), { bytes: 100, contentType })
          const shown = yield* objects.presignGet?.({ key, contentType }, 60) ?? Effect.succeed("")
          const get = (address: string, headers: Record<string, string> = {}) =>
            Effect.promise(async () => {
              const answer = await fetch(address, { headers })
              return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
            })
          assert.deepStrictEqual(yield* get(shown), { status: 200, bytes: Buffer.from(bytes) })
          const part = yield* get(shown, { Range: "bytes=10-19" })
          assert.deepStrictEqual(part, { status: 206, bytes: Buffer.from(bytes.subarray(10, 20)) })
          assert.include(decodeURIComponent(shown), "response-content-disposition=inline")
          const asPage = shown.replace("audio%2Fmpeg", "text%2Fhtml")
          assert.notStrictEqual(asPage, shown)
          for (const other of [
            asPage,
            shown.replace(key, newKey()),
            shown.replace("Expires=60", "Expires=90"),
          ])
            assert.strictEqual((yield* get(other)).status, 403)
          const late = yield* objects.presignPut?.({ key: newKey(), contentType, bytes: 100 }, 0) ??
            Effect.succeed("")
          assert.strictEqual(yield* clientPut(late, contentType, bytes), 403)
        }).pipe(Effect.provide(storeAt(port, { directUploads: true })))
      }),
  )
})
