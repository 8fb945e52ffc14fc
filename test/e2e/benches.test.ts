import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { hearingModels } from "../servers/hearingModels.js"
import { postgresMissing } from "../servers/postgresServer.js"
import { redisMissing } from "../servers/redisServer.js"
import { runBench } from "./benchRows.js"
import { root } from "./earmark.js"
import { ffmpegMissing } from "./http/world.js"
import { cannotHear } from "./recordings.js"

const areas = readdirSync(`${root}test/bench`)
  .filter((file) => file.endsWith(".ts") && file !== "harness.ts")
  .map((file) => file.slice(0, -3))

const models = await hearingModels()
const modelsMissing = models === null ? "needs the models of the default engine" : null
const fliteMissing =
  spawnSync("flite", ["--version"]).error === undefined ? null : "flite is missing: install the package flite"

/** What is missing here of what a bench needs. */
const missing: Readonly<Record<string, ReadonlyArray<string | null>>> = {
  alignment: [ffmpegMissing, fliteMissing],
  cuts: [ffmpegMissing, modelsMissing],
  deliveries: [postgresMissing],
  diarize: [fliteMissing],
  engines: [cannotHear, fliteMissing],
  hearing: [cannotHear],
  http: [postgresMissing],
  ledger: [postgresMissing],
  media: [ffmpegMissing, fliteMissing],
  pipeline: [ffmpegMissing, fliteMissing],
  queue: [postgresMissing],
  reads: [postgresMissing],
  redis: [postgresMissing, redisMissing],
  storage: [postgresMissing],
}

/** Whole runs of these are tests of their own: http/rolling.test.ts. */
const elsewhere = ["rolls"]

describe("a smoke run of every bench", () => {
  for (const area of areas.filter((name) => !elsewhere.includes(name))) {
    const reasons = missing[area] ?? []
    it.skipIf(reasons.some((reason) => reason !== null))(
      `npm run bench -- ${area} --smoke${because(...reasons)}`,
      async () => {
        const environment = models === null ? {} : { EARMARK_MODELS_DIR: models }
        const { code, rows, stderr } = await runBench(area, ["--smoke"], environment)
        assert.strictEqual(code, 0, stderr)
        assert.isNotEmpty(rows)
      },
      300_000,
    )
  }
})
