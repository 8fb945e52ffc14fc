/** The command in a folder of its own, beside a service of its own. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll } from "@effect/vitest"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"
import { earmark, root } from "./earmark.js"

export const recording = `${root}examples/quickstart/museum.ogg`

/** For all tests of a file, or of a group. With `profile`, it logs in under that name first. */
export const besideService = ({ profile }: { readonly profile?: string } = {}) => {
  let server: EarmarkServer
  let folder: string

  beforeAll(async () => {
    server = await startEarmark()
    folder = mkdtempSync(join(tmpdir(), "earmark-remote-"))
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = (args: ReadonlyArray<string>, input = "", environment: Readonly<Record<string, string>> = {}) =>
    earmark(args, input, folder, {
      XDG_CONFIG_HOME: join(folder, "config"),
      XDG_STATE_HOME: join(folder, "state"),
      NO_COLOR: "1",
      ...environment,
    })

  /** What a command that works has printed. */
  const told = async (args: ReadonlyArray<string>, input = "") => {
    const { code, stdout, stderr } = await run(args, input)
    assert.strictEqual(code, 0, stderr)
    return stdout
  }
  /** What was said beside the data, where there was none. */
  const said = async (args: ReadonlyArray<string>) => {
    const { code, stdout, stderr } = await run(args)
    assert.deepStrictEqual([code, stdout], [0, ""], stderr)
    return stderr
  }

  beforeAll(async () => {
    if (profile !== undefined) await told(["login", server.baseUrl, "--name", profile], `${server.key}\n`)
  })

  return {
    server: () => server,
    folder: () => folder,
    run,
    told,
    said,
  }
}
