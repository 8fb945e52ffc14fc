import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { exited, freePort } from "../servers/processes.js"
import { root } from "./earmark.js"

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
}

interface Message {
  readonly id?: number | null
  readonly result?: Record<string, unknown>
}

/** A server as a desktop client starts it, spoken to without any SDK. */
const start = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) => {
  const child = spawn(
    process.execPath,
    args.map((arg) => (arg.endsWith(".js") ? `${root}${arg}` : arg)),
    {
      env: {
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? "",
        XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME ?? "",
        EARMARK_MODELS_DIR: process.env.EARMARK_MODELS_DIR ?? "",
        ...environment,
      },
    },
  )
  const waiting = new Map<number, (message: Message) => void>()
  const lines: Array<string> = []
  let rest = ""
  let errors = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text
  })
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = `${rest}${text}`.split("\n")
    rest = parts.pop() ?? ""
    for (const line of parts) {
      lines.push(line)
      const message: Message = JSON.parse(line)
      if (message.id != null) waiting.get(message.id)?.(message)
    }
  })
  let count = 0
  const ask = (method: string, params: object) =>
    new Promise<Record<string, unknown>>((resolve) => {
      count += 1
      waiting.set(count, ({ result = {} }) => resolve(result))
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: count, method, params })}\n`)
    })
  return {
    ask,
    write: (text: string) => child.stdin.write(text),
    /** Ends the input, and waits for the end of the process. */
    end: async () => {
      child.stdin.end()
      await exited(child)
      return { code: child.exitCode, output: [...lines, ...(rest === "" ? [] : [rest])], errors }
    },
  }
}

const PACKAGE = ["packages/mcp/bin/earmark-mcp.js"]
const COMMAND = ["packages/cli/bin/earmark.js", "mcp"]

describe("a server over standard input and output", () => {
  for (const args of [PACKAGE, COMMAND, [...COMMAND, "--local"]]) {
    const name = args.map((arg) => arg.split("/").at(-1)).join(" ")

    it(`writes nothing but the protocol, and ends with its input: ${name}`, async () => {
      const environment = { SERVICE_API_KEY: "em_test_x", EARMARK_BASE_URL: "http://127.0.0.1:1" }
      const modern = start(args, environment)
      assert.include((await modern.ask("server/discover", { _meta: META })).supportedVersions, "2026-07-28")
      const { tools } = await modern.ask("tools/list", { _meta: META })
      assert.isAbove(Array.isArray(tools) ? tools.length : 0, 9)
      const { code, output, errors } = await modern.end()
      assert.deepStrictEqual({ code, errors }, { code: 0, errors: "" })
      for (const line of output) assert.strictEqual(JSON.parse(line).jsonrpc, "2.0")
    })
  }

  it("answers the older protocol, and tells a service that is away as the answer of a tool", async () => {
    const port = await freePort()
    const key = "em_live_secret"
    const server = start(PACKAGE, { SERVICE_API_KEY: key, EARMARK_BASE_URL: `http://127.0.0.1:${port}` })
    const clientInfo = { name: "test", version: "1" }
    const begun = await server.ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo,
    })
    assert.strictEqual(begun.protocolVersion, "2025-06-18")
    // It offers nothing that it does not do.
    assert.include(JSON.stringify(begun.capabilities), '"resources":{"subscribe":false,"listChanged":false}')
    const answer = await server.ask("tools/call", { name: "get_credit_balance", arguments: {} })
    assert.isTrue(answer.isError)
    assert.include(JSON.stringify(answer), `"code":"unavailable"`)
    assert.include(JSON.stringify(answer), `http://127.0.0.1:${port} cannot be reached`)
    const { output, errors } = await server.end()
    assert.notInclude(`${output.join("")}${errors}`, key)
  })

  it("answers what came before its input ended, and says which line it cannot read", async () => {
    const server = start(PACKAGE, { SERVICE_API_KEY: "em_live_x", EARMARK_BASE_URL: "http://127.0.0.1:1" })
    void server.ask("tools/call", { name: "get_credit_balance", arguments: {}, _meta: META })
    server.write('no json\n[]\n{"jsonrpc":"2.0"}\n')
    const { code, output } = await server.end()
    const messages = output.map((line) => JSON.parse(line))
    const unread = messages.filter(({ id }) => id === null)
    assert.deepStrictEqual(
      unread.map(({ error }) => error.code),
      [-32_700, -32_600, -32_600],
    )
    assert.include(JSON.stringify(messages.find(({ id }) => id === 1)), "cannot be reached")
    assert.strictEqual(code, 0)
  })

  it.each([[PACKAGE], [[...COMMAND, "--local"]]])(
    "skips a line that is too large, and goes on: %o",
    async (args) => {
      const state = mkdtempSync(join(tmpdir(), "earmark-mcp-e2e-"))
      const server = start(args, {
        SERVICE_API_KEY: "em_live_x",
        EARMARK_BASE_URL: "http://127.0.0.1:1",
        EARMARK_ENGINE: "scripted",
        XDG_STATE_HOME: state,
      })
      const before = server.ask("tools/list", { _meta: META })
      const call = { name: "upload_file", arguments: { content_base64: "A".repeat(40_000_000) } }
      const large = JSON.stringify({ jsonrpc: "2.0", id: 77, method: "tools/call", params: call })
      server.write(`${large}\n`)
      const after = server.ask("tools/list", { _meta: META })
      for (const { tools } of [await before, await after]) assert.isNotEmpty(tools)
      const { code, output, errors } = await server.end()
      assert.deepStrictEqual({ code, errors }, { code: 0, errors: "" })
      const refused = output.map((line) => JSON.parse(line)).filter(({ id }) => id === null)
      assert.deepStrictEqual(refused, [
        {
          jsonrpc: "2.0",
          id: null,
          error: {
            code: -32_600,
            message: "Invalid Request: the line is larger than 10 MiB. Send less in one message.",
          },
        },
      ])
      rmSync(state, { recursive: true, force: true })
    },
    30_000,
  )

  it("goes to the service that its user has signed in to, when nothing else is set", async () => {
    const config = mkdtempSync(join(tmpdir(), "earmark-mcp-e2e-"))
    mkdirSync(join(config, "earmark"))
    const url = `http://127.0.0.1:${await freePort()}`
    const profiles = { current: "kept", profiles: { kept: { url, key: "em_live_secret" } } }
    writeFileSync(join(config, "earmark", "config.json"), JSON.stringify(profiles))
    const server = start(COMMAND, { XDG_CONFIG_HOME: config })
    const answer = await server.ask("tools/call", { name: "get_credit_balance", arguments: {}, _meta: META })
    assert.include(JSON.stringify(answer), `${url} cannot be reached`)
    await server.end()
    rmSync(config, { recursive: true, force: true })
  })

  it("of this machine ends with its input, also when its first call was refused", async () => {
    const state = mkdtempSync(join(tmpdir(), "earmark-mcp-e2e-"))
    const server = start([...COMMAND, "--local"], {
      EARMARK_ENGINE: "scripted",
      EARMARK_LOG_LEVEL: "debug",
      XDG_STATE_HOME: state,
    })
    const answer = await server.ask("tools/call", {
      name: "transcribe",
      arguments: { url: "http://127.0.0.1:9/a.mp3" },
      _meta: META,
    })
    assert.include(JSON.stringify(answer), "blocked_address")
    const { code, errors } = await server.end()
    assert.strictEqual(code, 0)
    const told = errors.split("\n").filter((line) => line.includes("Speakers are told apart"))
    assert.strictEqual(told.length, 1, errors)
    rmSync(state, { recursive: true, force: true })
  }, 30_000)

  it("says in one sentence what it lacks, and ends with 78", async () => {
    const lacks: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [PACKAGE, /^earmark-mcp: SERVICE_API_KEY is not set: [^\n]+\n$/],
      [COMMAND, /^earmark: No server is named, and [^\n]+ Set SERVICE_API_KEY, [^\n]+: earmark login URL\n$/],
    ]
    for (const [args, sentence] of lacks) {
      const { code, output, errors } = await start(args, { EARMARK_DATA_DIR: "/nowhere" }).end()
      assert.deepStrictEqual({ code, output }, { code: 78, output: [] })
      assert.match(errors, sentence)
    }
    const { code, errors } = await start([...PACKAGE, "--local"], {}).end()
    assert.strictEqual(code, 78)
    assert.include(errors, "earmark mcp --local")
  })
})
