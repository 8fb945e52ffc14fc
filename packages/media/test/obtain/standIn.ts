import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** What the program was given, as it wrote it down itself. */
export interface Call {
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly files: ReadonlyArray<string>
}

export interface StandIn {
  readonly program: string
  readonly calls: () => ReadonlyArray<Call>
}

/**
 * A program in the place of yt-dlp: it notes how it was called and then runs `body`, a piece of JavaScript that has `args`,
 * `output` (where a recording belongs) and `proxy`.
 */
export const standIn = (body: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "stand-in-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
    ),
    (folder): StandIn => {
      const program = join(folder, "yt-dlp")
      const log = join(folder, "calls")
      writeFileSync(
        program,
        `#!${process.execPath}
const fs = require("node:fs")
const args = process.argv.slice(2)
if (args.includes("--version")) { console.log("2026.08.01"); process.exit(0) }
const call = { args, env: process.env, cwd: process.cwd(), files: fs.readdirSync(".") }
fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify(call) + "\\n")
const after = (name) => args[args.indexOf(name) + 1]
const output = after("--output")
const proxy = process.env.https_proxy
${body}
`,
      )
      chmodSync(program, 0o755)
      const calls = () =>
        existsSync(log)
          ? readFileSync(log, "utf8")
              .trim()
              .split("\n")
              .map((line): Call => JSON.parse(line))
          : []
      return { program, calls }
    },
  )
