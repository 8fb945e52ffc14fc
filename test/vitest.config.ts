import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./longestFirst.js"

// Our own export condition points at `src`, so tests never need a build.
const conditions = ["@earmark/source"]

const root = fileURLToPath(new URL("..", import.meta.url))

// What a user of this machine has pulled, set or done decides nothing: tests name what they need.
const nobody = `${root}node_modules/.cache/nobody`
const env = {
  EARMARK_MODELS_DIR: `${nobody}/models`,
  XDG_CONFIG_HOME: `${nobody}/config`,
  XDG_STATE_HOME: `${nobody}/state`,
}

const project = (name: string, include: string) => ({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Against hanging alone: what must be quick is told in processor time, which a busy machine does not change.
  test: {
    name,
    include: [include],
    env,
    setupFiles: ["test/betweenTests.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

const testsOf = (...packages: ReadonlyArray<string>) => `packages/{${packages.join()}}/test/**/*.test.ts`

const workers = availableParallelism()

export default defineConfig({
  test: {
    maxWorkers: workers,
    // Where fewer are kept, one that files share is told to end twice when it has nothing to do, and the whole run fails.
    minWorkers: workers,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Files share a process, which loads the sources once (`--no-isolate`).
      project("core", `{${testsOf("core", "testkit")},examples/*/*.test.ts}`),
      project(
        "unit",
        testsOf("api", "authorization", "batch", "cli", "http", "mcp", "payments", "runtime", "service"),
      ),
      // Servers and programs that are started once for a file.
      project("programs", testsOf("engines", "media", "redis", "sql")),
      project("e2e", "test/e2e/**/*.test.ts"),
      // What an attacker would try: docs/explanation/threat-model.md names the test for each threat.
      project("console", "{test/console/*.test.ts,packages/console/test/**/*.test.ts}"),
      project("attack", "test/attack/**/*.test.ts"),
    ],
  },
})
