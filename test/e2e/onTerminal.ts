import { spawn } from "node:child_process"
import { makeScreen } from "./screen.js"

const COLUMNS = 72

/** Runs a command in a pseudo-terminal, and answers every state of its screen. */
export const onTerminal = (
  command: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
  typed = "",
) =>
  new Promise<{
    code: number | null
    shown: ReadonlyArray<ReadonlyArray<string>>
    /** All that was written, controls included. */
    raw: string
    fits: boolean
  }>((resolve) => {
    let raw = ""
    const screen = makeScreen(COLUMNS)
    const shown: Array<ReadonlyArray<string>> = []
    const child = spawn("script", ["-qec", `stty cols ${COLUMNS}; ${command}`, "/dev/null"], {
      cwd,
      env: { ...process.env, ...environment, COLUMNS: "" },
      timeout: 60_000,
    })
    child.stdin.end(typed)
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      raw += text
      // The teller draws in one go, so each drawing ends before the next one takes it away.
      for (const part of text.split(/(?=\r\u001b\[2K)/)) {
        screen.write(part)
        shown.push(screen.lines())
      }
    })
    child.on("close", (code) => resolve({ code, shown, raw, fits: screen.fits() }))
  })
