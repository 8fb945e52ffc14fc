/** Runs the conformance suite of the protocol against a server, and counts what it finds. */
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"

const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")
const suite = join(manifest, "..", "dist", "index.js")

/** The suite asks for a function of `fs` that Node 20 does not have, and does not use it here. */
const SHIM = `import { register } from "node:module"
register("data:text/javascript," + encodeURIComponent(\`
export const resolve = (name, context, next) =>
  /^(node:)?fs$/.test(name) && context.parentURL?.includes("@modelcontextprotocol/conformance")
    ? { url: "shim:fs", shortCircuit: true, format: "module" }
    : next(name, context)
export const load = (url, context, next) =>
  url === "shim:fs"
    ? { format: "module", shortCircuit: true, source: "import * as fs from 'node:fs'; export * from 'node:fs'; export default fs.default; export const globSync = fs.globSync" }
    : next(url, context)\`))`

const node = (args: ReadonlyArray<string>) =>
  new Promise<string>((resolve) => {
    const shim = `data:text/javascript,${encodeURIComponent(SHIM)}`
    const child = spawn(process.execPath, ["--import", shim, suite, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
    }
    child.once("exit", () => resolve(output))
  })

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

export interface Found {
  readonly scenarios: number
  readonly passed: number
  readonly problems: ReadonlyArray<string>
}

/** Scenarios of the revision itself: not of extensions, and not those that are still to come. */
const otherScenarios = (listed: string, also: RegExp | null): ReadonlySet<string> => {
  const others = new Set<string>()
  let isRequired = true
  for (const line of listed.split("\n")) {
    if (/^ {2}(extension|added-after-release|pending) \(/.test(line)) isRequired = false
    const name = /^\s+- (\S+)/.exec(line)?.[1]
    if (name !== undefined && !isRequired && !(also?.test(name) ?? false)) others.add(name)
  }
  return others
}

/** What the suite says because a fixture of its own is missing. */
export const MISSING_FIXTURE =
  /^Not testable|Expected InputRequiredResult|^Prerequisite failed|test_[a-z_0-9]+|test:\/\/|json_schema_2020_12_tool|x-mcp-header/

interface Choice {
  /** Failures that do not count, and then no warning does. */
  readonly leftOut?: RegExp | null
  /** Scenarios of extensions that count. */
  readonly also?: RegExp | null
}

export const runSuite = async (
  url: string,
  revision: string,
  { leftOut = null, also = null }: Choice = {},
): Promise<Found> => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-mcp-"))
  try {
    const [listed, output] = await Promise.all([
      node(["list", "--server", "--requirements", revision]),
      node(["server", "--url", url, "--requirements", revision, "-o", folder]),
    ])
    const others = otherScenarios(listed, also)
    let scenarios = 0
    let passed = 0
    const problems: Array<string> = []
    for (const name of readdirSync(folder)) {
      const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "")
      if (others.has(scenario)) continue
      scenarios += 1
      const checks: ReadonlyArray<Check> = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8"))
      for (const { id, status, errorMessage = "" } of checks) {
        if (status === "SUCCESS") passed += 1
        if (status !== "FAILURE" && status !== "WARNING") continue
        if (leftOut !== null && (status === "WARNING" || leftOut.test(errorMessage))) continue
        problems.push(`${status} ${scenario} ${id}: ${errorMessage.replace(/\s+/g, " ").slice(0, 300)}`)
      }
    }
    if (scenarios === 0) problems.push(`the suite did not run: ${output.slice(-500)}`)
    return { scenarios, passed, problems }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
