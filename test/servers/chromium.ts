/** A real browser: programs are bundled for it, run in a page, and report what they found. */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { endGroup, exited } from "./processes.js"

/** Why no page can be opened here; null when one can. With `CI=true` a missing browser is a failure. */
export const chromiumMissing: string | null =
  spawnSync("chromium", ["--version"]).status === 0
    ? null
    : "chromium is missing: install the package chromium"

if (chromiumMissing !== null) {
  if (process.env.CI === "true") throw new Error(chromiumMissing)
  process.stderr.write(`Tests in a browser are skipped. ${chromiumMissing}\n`)
}

/** A program for browsers, from the sources of this project, in one file. Fails where something of Node is needed. */
export const bundleForBrowser = async (
  code: string,
  folder: string,
  format: "esm" | "iife" = "esm",
): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder, loader: "ts" },
    bundle: true,
    write: false,
    platform: "browser",
    format,
    globalName: "program",
    target: "es2022",
    conditions: ["@earmark/source"],
    logLevel: "silent",
  })
  return outputFiles[0]?.text ?? ""
}

/** Without these it looks for hosts of its maker. */
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The page is one of a plain site, not of this machine: it has only what pages without TLS have.
  "--host-resolver-rules=MAP page.example 127.0.0.1",
]

const PAGE = `<!doctype html><meta charset="utf-8"><title>A page</title><script type="module">
  const report = (body) => fetch("/report", { method: "POST", body: JSON.stringify(body) })
  addEventListener("error", ({ message }) => report({ error: message }))
  try {
    const { run } = await import("/program.js")
    await report({ value: await run() })
  } catch (error) {
    await report({ error: String(error?.stack ?? error) })
  }
</script>`

const TYPES: Readonly<Record<string, string>> = { "/": "text/html", "/program.js": "text/javascript" }

/** Removes a folder into which processes that are just ending may still write: then it begins anew, which `rmSync` does not. */
const removed = async (folder: string) => {
  for (let tries = 1; ; tries++) {
    try {
      return rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if (tries === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

export const pageOrigin = (port: number): string => `http://page.example:${port}`

/** Opens a page at `port` that calls the `run` which the program exports, and answers what that gives. */
export const runInChromium = async (port: number, program: string): Promise<unknown> => {
  const profile = mkdtempSync(join(tmpdir(), "earmark-chromium-"))
  let report: (text: string) => void = () => {}
  const reported = new Promise<string>((resolve) => {
    report = resolve
  })
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/"
    if (path === "/report") {
      const parts: Array<Buffer> = []
      for await (const part of request) parts.push(part)
      report(Buffer.concat(parts).toString())
      return response.writeHead(204).end()
    }
    const type = TYPES[path]
    if (type === undefined) return response.writeHead(404).end()
    response.writeHead(200, { "Content-Type": type }).end(path === "/" ? PAGE : program)
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const child = spawn("chromium", [...FLAGS, `--user-data-dir=${profile}`, pageOrigin(port)], {
    stdio: ["ignore", "ignore", "pipe"],
    // What it leaves behind goes with the profile.
    env: { ...process.env, TMPDIR: profile },
    // A group of its own: its helpers write to the profile for a moment after it has gone.
    detached: true,
  })
  let log = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text
  })
  try {
    const gone = exited(child).then(() => Promise.reject(new Error(`The browser ended: ${log}`)))
    const answer: unknown = JSON.parse(await Promise.race([reported, gone]))
    if (typeof answer === "object" && answer !== null && "value" in answer) return answer.value
    throw new Error(`The page failed: ${JSON.stringify(answer)}`)
  } finally {
    await endGroup(child)
    server.closeAllConnections()
    server.close()
    await removed(profile)
  }
}
