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

/** Runs the suite; `hear` is told what it has printed, whenever it prints more. */
const node = (args: ReadonlyArray<string>, hear: (printed: string) => void = () => {}) =>
  new Promise<string>((resolve) => {
    const shim = `data:text/javascript,${encodeURIComponent(SHIM)}`
    const child = spawn(process.execPath, ["--import", shim, suite, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
        hear(output)
      })
    }
    child.once("exit", () => resolve(output))
  })

/** What it found, scenario by scenario, in a folder of its own. */
const checked = async (
  args: ReadonlyArray<string>,
  hear?: (printed: string) => void,
): Promise<{ readonly output: string; readonly found: ReadonlyMap<string, ReadonlyArray<Check>> }> => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-mcp-"))
  try {
    const output = await node([...args, "-o", folder], hear)
    const found = new Map(
      readdirSync(folder).map((name): [string, ReadonlyArray<Check>] => [
        name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, ""),
        JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")),
      ]),
    )
    return { output, found }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

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

/** Scenarios that are not scored: of extensions, and those that are still to come. */
const otherScenarios = (listed: string, also: RegExp | null): ReadonlySet<string> => {
  const others = new Set<string>()
  let isScored = true
  for (const line of listed.split("\n")) {
    const group = /^ {2}([a-z-]+) \(/.exec(line)?.[1]
    if (group !== undefined) isScored = group === "added-after-release"
    const name = /^\s+- (\S+)/.exec(line)?.[1]
    if (name !== undefined && !isScored && !(also?.test(name) ?? false)) others.add(name)
  }
  return others
}

/** What the suite says because a fixture of its own is missing. */
export const MISSING_FIXTURE =
  /^Not testable|Expected InputRequiredResult|^Prerequisite failed|test_[a-z_0-9]+|test:\/\/|json_schema_2020_12_tool|x-mcp-header/

interface AuthorizationFacts {
  readonly issuer: string
  readonly resource: string
  /** An app that is registered, and takes its answer at `/callback` of this port. */
  readonly client: string
  readonly port: number
}

interface Choice {
  /** Failures that do not count, and then no warning does. */
  readonly leftOut?: RegExp | null
  /** Scenarios of extensions that count. */
  readonly also?: RegExp | null
}

const problemOf = (scenario: string, { id, status, errorMessage = "" }: Check): string =>
  `${status} ${scenario} ${id}: ${errorMessage.replace(/\s+/g, " ").slice(0, 300)}`

/** Counts, and tells what is wrong. A suite that did not run has found something. */
const counted = (
  found: ReadonlyMap<string, ReadonlyArray<Check>>,
  isLeftOut: (check: Check) => boolean,
  output: string,
): Found => {
  const checks = [...found].flatMap(([scenario, list]) => list.map((check) => ({ scenario, check })))
  const problems = checks
    .filter(({ check }) => check.status === "FAILURE" || check.status === "WARNING")
    .filter(({ check }) => !isLeftOut(check))
    .map(({ scenario, check }) => problemOf(scenario, check))
  return {
    scenarios: found.size,
    passed: checks.filter(({ check }) => check.status === "SUCCESS").length,
    problems: found.size === 0 ? [`the suite did not run: ${output.slice(-500)}`] : problems,
  }
}

/** Against the connector at `url`. */
export const runSuite = async (
  url: string,
  revision: string,
  { leftOut = null, also = null }: Choice = {},
): Promise<Found> => {
  const [listed, { output, found }] = await Promise.all([
    node(["list", "--server", "--requirements", revision]),
    checked(["server", "--url", url, "--requirements", revision]),
  ])
  const others = otherScenarios(listed, also)
  const scored = new Map([...found].filter(([scenario]) => !others.has(scenario)))
  const isLeftOut = ({ status, errorMessage = "" }: Check) =>
    leftOut !== null && (status === "WARNING" || leftOut.test(errorMessage))
  return counted(scored, isLeftOut, output)
}

/** Against an authorization server. `visit` stands for the browser of a person: it is given the address that they are sent to. */
export const runAuthorizationSuite = async (
  { issuer, resource, client, port }: AuthorizationFacts,
  visit: (address: string) => void,
): Promise<Found> => {
  let isVisited = false
  const address = new RegExp(`${issuer}\\S*response_type=code\\S*`)
  const args = ["--url", issuer, "--client-id", client, "--resource", resource, "-p", String(port)]
  const { output, found } = await checked(["authorization", ...args], (printed) => {
    const [asked] = address.exec(printed) ?? []
    if (asked === undefined || isVisited) return
    isVisited = true
    visit(asked)
  })
  return counted(found, () => false, output)
}
