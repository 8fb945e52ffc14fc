/** A hundred orderly restarts under light load, one process after the other: two that answer, two that work, on Postgres and Redis. */
import { startFleet } from "../servers/fleet.js"
import { absolute, main, type Outcome, sized } from "./harness.js"

const ROLLS = Number(process.env.EARMARK_BENCH_ROLLS ?? sized(100, 1))

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const fleet = await startFleet()
  try {
    const ends: Array<{ readonly code: number | null; readonly seconds: number }> = []
    for (let roll = 0; roll < ROLLS; roll++) ends.push(await fleet.roll(roll % fleet.size))
    const { made, done, longestStall, failed } = await fleet.settle()
    const disorderly = ends.filter(({ code }) => code !== 0).length
    const longestRestart = Math.max(...ends.map(({ seconds }) => seconds))
    for (const line of failed.slice(0, 10)) process.stderr.write(`${line}\n`)
    return [
      absolute(`restarts that did not end in order, of ${ROLLS}`, disorderly, "0", disorderly === 0),
      absolute("longest restart, s", longestRestart, "< 9", longestRestart < 9),
      absolute("requests that failed", failed.length, "0", failed.length === 0),
      absolute(`jobs not done, of ${made}`, made - done, "0", made === done),
      absolute("longest time without a finished job, s", longestStall, "< 20", longestStall < 20),
    ]
  } finally {
    await fleet.stop()
  }
}

await main({ run })
