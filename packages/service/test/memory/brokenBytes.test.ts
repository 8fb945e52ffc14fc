import { objectStoreCases, rateLimiterCases } from "@earmark/testkit/contracts"
import { Effect, Stream } from "effect"
import { ObjectStore, ObjectStoreMemory, RateLimiter, RateLimiterMemory } from "../../src/index.js"
import { breaksOfLayer, suiteCatches } from "./breaking.js"

const objects = breaksOfLayer(ObjectStore, ObjectStoreMemory.layer, objectStoreCases)

/** A body of exactly so many bytes, whatever comes. */
const fitted = <E>(body: Stream.Stream<Uint8Array, E>, bytes: number): Stream.Stream<Uint8Array, E> =>
  Stream.unwrap(
    Effect.map(Stream.runCollect(Stream.take(body, 100)), (chunks) => {
      const whole = Buffer.concat([...chunks, new Uint8Array(bytes)])
      return Stream.succeed(new Uint8Array(whole.subarray(0, bytes)))
    }),
  )

suiteCatches("ObjectStore", [
  objects(
    "takes any length",
    ({ put }) => ({ put: (object, body) => put(object, fitted(body, object.bytes)) }),
    "a body that is shorter or longer than announced",
    "an endless body is cut off",
  ),
  objects(
    "overwrites",
    ({ put, remove }) => ({ put: (object, body) => Effect.zipRight(remove(object.key), put(object, body)) }),
    "a key is used once",
  ),
  objects(
    "gives every object the same ETag",
    ({ put }) => ({ put: (object, body) => Effect.as(put(object, body), "etag") }),
    "what was put is there",
  ),
  objects("knows no ranges", ({ read }) => ({ read: (key) => read(key) }), "ranges are read"),
  objects(
    "counts the end of a range in",
    ({ read }) => ({
      read: (key, range = {}) => read(key, range.to === undefined ? range : { ...range, to: range.to + 1 }),
    }),
    "ranges are read",
  ),
  objects("removes nothing", () => ({ remove: () => Effect.void }), "a key is used once"),
  objects(
    "takes any key",
    ({ put }) => ({
      put: (object, body) =>
        Effect.catchIf(
          put(object, body),
          (error) => error instanceof Object && "reason" in error && error.reason === "key_invalid",
          () => Effect.succeed("etag"),
        ),
    }),
    "only keys of uploads are taken",
  ),
  objects(
    "shows an upload before it is complete",
    ({ put, head }) => {
      const begun = new Set<string>()
      return {
        put: (object, body) =>
          Effect.suspend(() => {
            begun.add(object.key)
            return put(object, body)
          }),
        head: (key) =>
          begun.has(key) ? Effect.succeed({ bytes: 1, contentType: "audio/mpeg", etag: "e" }) : head(key),
      }
    },
    "a body that breaks off leaves nothing",
    "an interrupted put leaves nothing",
  ),
])

const limiter = breaksOfLayer(RateLimiter, RateLimiterMemory.layer, rateLimiterCases)

suiteCatches("RateLimiter", [
  limiter(
    "lets everything through",
    ({ take }) => ({
      take: (bucket, policy) => Effect.map(take(bucket, policy), (taken) => ({ ...taken, allowed: true })),
    }),
    "of any number of racing calls",
    "each answer says what is left",
  ),
  limiter(
    "counts in windows",
    (whole) => {
      let taken = 0
      return {
        take: (bucket, policy) =>
          Effect.map(whole.take(bucket, policy), (answer) => ({
            ...answer,
            allowed: ++taken <= policy.burst,
          })),
      }
    },
    "what is used up comes back",
  ),
  limiter(
    "has one bucket for all",
    ({ take }) => ({ take: (_, policy) => take("all", policy) }),
    "buckets do not know each other",
  ),
  limiter(
    "never says when to come again",
    ({ take }) => ({
      take: (bucket, policy) =>
        Effect.map(take(bucket, policy), (taken) => ({ ...taken, retryAfterSeconds: 0 })),
    }),
    "each answer says what is left",
  ),
])
