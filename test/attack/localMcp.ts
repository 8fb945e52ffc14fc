/** The server of `earmark mcp --local`, as a client starts it, with a home folder of its own. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { bin } from "../e2e/earmark.js"

export interface LocalMcp {
  readonly client: Client
  readonly home: string
  /** The answer of a tool: its text blocks, and its data. */
  readonly call: (
    name: string,
    args: Record<string, unknown>,
  ) => Promise<{
    readonly isError: boolean
    readonly text: string
    readonly data: Record<string, unknown>
  }>
  readonly stop: () => Promise<void>
}

export const startLocalMcp = async (environment: Record<string, string> = {}): Promise<LocalMcp> => {
  const home = mkdtempSync(join(tmpdir(), "earmark-attack-mcp-"))
  mkdirSync(join(home, "Downloads"))
  const client = new Client({ name: "attack", version: "1" })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, "mcp", "--local"],
      cwd: home,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: home,
        EARMARK_DATA_DIR: join(home, "data"),
        EARMARK_ENGINE: "scripted",
        ...environment,
      },
    }),
  )
  return {
    client,
    home,
    call: async (name, args) => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
      const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n")
      return { isError: isError === true, text, data: Object(structuredContent) }
    },
    stop: async () => {
      await client.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
