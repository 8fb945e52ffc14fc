// What `npm run check` and `npm test` are made of: scripts of package.json, each told in a line when it ends.
import { spawn } from "node:child_process"
import { root } from "./setup.mjs"

// Compilers make much that is soon garbage: with room for it they take a fifth less time.
export const COMPILING = { NODE_OPTIONS: "--max-semi-space-size=128" }

/** Runs a program, and answers its exit code, the seconds that it took, and what it printed, unless that is shown as it comes. */
export const ran = (command, args, { shown = false, environment = {} } = {}) =>
  new Promise((resolve) => {
    const from = performance.now()
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ["ignore", ...Array(2).fill(shown ? "inherit" : "pipe")],
    })
    const printed = []
    const end = (code, output) =>
      resolve({ code, output, seconds: ((performance.now() - from) / 1000).toFixed(1) })
    child.stdout?.on("data", (chunk) => printed.push(chunk))
    child.stderr?.on("data", (chunk) => printed.push(chunk))
    child.once("error", ({ message }) => end(1, message))
    child.once("close", (code) => end(code ?? 1, Buffer.concat(printed).toString()))
  })

export const tell = (name, { code, output, seconds }) => {
  process.stdout.write(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)\n`)
  if (code !== 0) process.stdout.write(`${output}\n`)
}

/** Runs a script of package.json. Answers whether it succeeded. */
export const step = async (name, script, environment) => {
  const outcome = await ran("npm", ["run", "--silent", script], { environment })
  tell(name, outcome)
  return outcome.code === 0
}

/** The checks that read the sources alone: name, script, environment. That of the types takes as long as all others. */
export const TYPES = ["types and Effect diagnostics", "effect", COMPILING]
export const OTHERS = [
  ["format and lint", "lint"],
  ["boundaries", "boundaries", COMPILING],
  ["unused code", "unused", COMPILING],
  ["wire document", "lint:wire"],
]

/** This one needs a build. */
export const DOCS = ["docs are true", "docs:check"]
