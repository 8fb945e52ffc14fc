/** A hundred orderly restarts under light load, one process after the other: two that answer, two that work, on Postgres and Redis. */
import { startFleet } from "../servers/fleet.js"
import { main, type Outcome, sized } from "./harness.js"

const ROLLS = Number(process.env.EARMARK_BENCH_ROLLS ?? sized(100, 1))

const outcome = (bench: string, ours: number, bar: string, pass: boolean): Outcome => ({
  bench,
  ours,
  rival: null,
  rivalName: null,
  ratio: null,
  bar,
  pass,
})

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
      outcome(`restarts that did not end in order, of ${ROLLS}`, disorderly, "0", disorderly === 0),
      outcome("longest restart, s", longestRestart, "< 9", longestRestart < 9),
      outcome("requests that failed", failed.length, "0", failed.length === 0),
      outcome(`jobs not done, of ${made}`, made - done, "0", made === done),
      outcome("longest time without a finished job, s", longestStall, "< 20", longestStall < 20),
    ]
  } finally {
    await fleet.stop()
  }
}

await main({ run })
