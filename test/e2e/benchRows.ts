import { spawn } from "node:child_process"
import { Schema } from "effect"
import { root } from "./earmark.js"

const Row = Schema.parseJson(
  Schema.Struct({ bench: Schema.String, ours: Schema.Number, bar: Schema.String, pass: Schema.Boolean }),
)

export interface BenchRun {
  readonly code: number | null
  readonly rows: ReadonlyArray<typeof Row.Type>
  readonly stderr: string
}

/** Runs `npm run bench -- AREA OPTIONS --json`; a figure that is no number fails to decode. */
export const runBench = (
  area: string,
  options: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
): Promise<BenchRun> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [".tools/bench.mjs", area, ...options, "--json"], {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    child.on("error", reject)
    child.on("close", (code) => {
      const lines = stdout.split("\n").filter((line) => line.startsWith("{"))
      resolve({ code, stderr, rows: lines.map((line) => Schema.decodeUnknownSync(Row)(line)) })
    })
  })
