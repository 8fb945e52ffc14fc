import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { embeddedMissing, temporaryFolder } from "./backends.js"
import { everyProcess, leashesOf } from "./kills/processes.js"
import {
  closed,
  newAccount,
  nothingSaid,
  pause,
  startWriter,
  together,
  verifyStore,
} from "./kills/writers.js"

const PROCESSES = 4
/** The bar of the store is 2,000: `EARMARK_SHARED_JOBS=2000`. */
const JOBS = Number(process.env.EARMARK_SHARED_JOBS ?? 200)

describe.skipIf(embeddedMissing !== null)(`a folder that ${PROCESSES} processes use at once`, () => {
  it.live(
    `loses none of ${JOBS} jobs, has none twice, and refuses nothing`,
    () =>
      Effect.gen(function* () {
        const store = `${yield* temporaryFolder}/postgres`
        const account = newAccount()
        const saids = Array.from({ length: PROCESSES }, nothingSaid)
        const writers = saids.map((said) => startWriter(store, account, said))
        const begun = performance.now()
        yield* Effect.promise(async () => {
          await Promise.all(writers.map(({ ready }) => ready))
          const ended = () => together(saids).done.size + together(saids).failed.size
          while (ended() < JOBS) await pause(20)
        })
        const seconds = (performance.now() - begun) / 1000
        yield* Effect.promise(async () => {
          for (const { child, ready } of writers) {
            ready.catch(() => undefined)
            child.kill("SIGKILL")
          }
          await Promise.all(writers.map(({ child }) => child.signalCode ?? closed(child)))
          while (everyProcess(store).length + leashesOf(store).length > 0) await pause(5)
        })
        const said = together(saids)
        for (const { done } of saids) assert.isAbove(done.size, 0, "every process has worked")
        assert.deepStrictEqual(said.broken, [])
        const jobs = yield* verifyStore(store, account, said, PROCESSES)
        yield* Effect.log(
          `${said.made.size} acknowledged jobs, ${said.done.size + said.failed.size} ends, ${jobs} jobs in the store, ${seconds.toFixed(1)} s`,
        )
      }).pipe(Effect.scoped),
    60_000 + JOBS * 200,
  )
})
