import { clockOf } from "@earmark/core/text"
import { Clock, Effect } from "effect"

const BAR = 24
const STEP = 10
const MEGABYTE = 1_000_000

/** How a pull is told: a bar that moves on a terminal, elsewhere a line for every tenth. */
export const pullProgress = Effect.fn("pullProgress")(function* (name: string) {
  const clock = yield* Effect.clock
  const started = yield* Clock.currentTimeMillis
  const { stderr } = process
  let told = -1
  let first: number | undefined

  const bar = (bytes: number, total: number) => {
    const filled = Math.floor((bytes / total) * BAR)
    const seconds = (clock.unsafeCurrentTimeMillis() - started) / 1000
    const rate = (bytes - (first ?? 0)) / Math.max(0.001, seconds)
    const left = rate > 0 ? clockOf((total - bytes) / rate) : "-:--"
    const sizes = `${(bytes / MEGABYTE).toFixed(0)} of ${(total / MEGABYTE).toFixed(0)} MB`
    stderr.write(
      `\r${name}  [${"#".repeat(filled).padEnd(BAR, ".")}]  ${sizes}  ${(rate / MEGABYTE).toFixed(1)} MB/s  ${left} left  `,
    )
    if (bytes >= total) stderr.write("\n")
  }

  return (bytes: number, total: number): void => {
    const share = Math.floor((bytes / total) * 100)
    const now = stderr.isTTY ? share : share - (share % STEP)
    if (now === told) return
    told = now
    first ??= bytes
    if (stderr.isTTY) bar(bytes, total)
    else stderr.write(`${name}  ${now} %\n`)
  }
})
