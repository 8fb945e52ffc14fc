import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// Our own export condition points at `src`, so tests never need a build.
const conditions = ["@earmark/source"]

interface ProjectConfig {
  readonly exclude?: Array<string>
  readonly setupFiles?: Array<string>
}

const root = fileURLToPath(new URL("..", import.meta.url))

const project = (name: string, include: string, more: ProjectConfig = {}) => ({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Against hanging alone: what must be quick is told in processor time, which a busy machine does not change.
  test: { name, include: [include], testTimeout: 120_000, hookTimeout: 120_000, ...more },
})

const core = "packages/core/test/**/*.test.ts"

export default defineConfig({
  test: {
    // Most tests wait for programs that they have started, so that two files at once also go well on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    minWorkers: 1,
    projects: [
      // Nothing in the core changes anything outside itself: its tests can share a process, which loads it once (`--no-isolate`).
      project("core", core, { setupFiles: ["test/breathe.ts"] }),
      project("unit", "packages/*/test/**/*.test.ts", { exclude: [core] }),
      project("e2e", "test/e2e/**/*.test.ts"),
    ],
  },
})
