import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** What a command did, as a shell would see it. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const root = fileURLToPath(new URL("../..", import.meta.url))

export const bin = `${root}packages/cli/bin/earmark.js`

/** Runs the built command in its own process, with `input` on standard input. */
export const earmark = (
  args: ReadonlyArray<string>,
  input: string | Uint8Array = "",
  cwd = root,
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd,
      timeout: 60_000,
      env: { ...process.env, ...environment },
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
    child.on("close", (code) => resolve({ code, stdout, stderr }))
    // A command that needs no input may end before it is written.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
  })
