// @effect-diagnostics strictEffectProvide:off -- this is the one place that composes
import * as NodeCommandExecutor from "@effect/platform-node/NodeCommandExecutor"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import { run } from "./cli.js"
import { note, printable } from "./output.js"

const BUG = 70

/** A reader that went away (`earmark feed ... | head -1`) is not an error; any other failure is told by `print`. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0)
})
process.stderr.on("error", () => {})

/** What a shell answers for a command that a signal has ended. */
let endedBy = 130
const endedByTerm = () => {
  endedBy = 143
  process.off("SIGINT", endedByInt)
}
// Each is heard once, and either one ends the hearing: the next signal ends the process at once.
const endedByInt = () => process.off("SIGTERM", endedByTerm)
process.once("SIGTERM", endedByTerm)
process.once("SIGINT", endedByInt)

/** What commands use of Node. Hosts bring more of it themselves. */
const services = NodeCommandExecutor.layer.pipe(
  Layer.provideMerge(Layer.merge(NodeFileSystem.layer, NodePath.layer)),
)

const report = (cause: Cause.Cause<{ readonly message: string; readonly exitCode: number }>) => {
  if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause)
  const failure = Option.getOrElse(Cause.failureOption(cause), () => ({
    message: `This is a bug in earmark, please report it: ${String(Cause.squash(cause))}`,
    exitCode: BUG,
  }))
  return Effect.zipRight(
    // Messages repeat what was typed, and names of files.
    note(`earmark: ${failure.message.split("\n").map(printable).join("\n")}`),
    Effect.sync(() => {
      process.exitCode = failure.exitCode
    }),
  )
}

NodeRuntime.runMain(run(process.argv).pipe(Effect.catchAllCause(report), Effect.provide(services)), {
  disableErrorReporting: true,
  // Servers and the steps of --verbose have loggers of their own.
  disablePrettyLogger: true,
  teardown: (exit, onExit) => {
    if (Exit.isSuccess(exit)) return onExit(0)
    // A command that only ever ends by a signal says itself how that went.
    return onExit(Cause.isInterruptedOnly(exit.cause) ? Number(process.exitCode ?? endedBy) : BUG)
  },
})
