/** Puts an endless object until it is killed. Arguments: a directory, a key. */
import { ObjectStore } from "@earmark/service"
import { Effect, Stream } from "effect"
import { ObjectStoreDisk } from "../../src/index.js"

const [directory = "", key = ""] = process.argv.slice(2)

const body = Stream.repeatEffect(Effect.delay(Effect.succeed(new Uint8Array(10_000)), "1 millis"))

const main = Effect.gen(function* () {
  const objects = yield* ObjectStore
  yield* objects.put({ key, contentType: "audio/mpeg", bytes: 1_000_000_000 }, body)
}).pipe(Effect.provide(ObjectStoreDisk.layer({ directory })))

void Effect.runPromise(main)
