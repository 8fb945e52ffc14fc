/** Holds the store of the environment as a service does, until it is told to end. Says when it is ready. */
import { writeSync } from "node:fs"
import { Runtime, readSettings } from "@earmark/runtime"
import { Cause, Effect, Exit, Layer } from "effect"

const ready = Layer.effectDiscard(Effect.sync(() => writeSync(1, "ready\n")))

const main = Effect.flatMap(readSettings, (settings) =>
  Layer.launch(Layer.provideMerge(ready, Runtime.layer(settings, { terminal: null }))),
)

const fiber = Effect.runFork(main)
fiber.addObserver((exit) => {
  if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
    writeSync(2, `${Cause.pretty(exit.cause)}\n`)
    process.exit(1)
  }
  process.exit(0)
})
process.once("SIGTERM", () => fiber.unsafeInterruptAsFork(fiber.id()))
