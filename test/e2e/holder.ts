/** Holds the store of the environment, as a service does, and says when it is ready. */
import { writeSync } from "node:fs"
import { Runtime, readSettings } from "@earmark/runtime"
import { Effect, Layer } from "effect"

const ready = Layer.effectDiscard(Effect.sync(() => writeSync(1, "ready\n")))

const main = Effect.flatMap(readSettings, (settings) =>
  Layer.launch(Layer.provideMerge(ready, Runtime.layer(settings, { terminal: null }))),
)

const fiber = Effect.runFork(main)
fiber.addObserver((exit) => {
  if (exit._tag === "Failure") writeSync(2, `${exit.cause}\n`)
  process.exit(exit._tag === "Failure" ? 1 : 0)
})
process.once("SIGTERM", () => fiber.unsafeInterruptAsFork(fiber.id()))
