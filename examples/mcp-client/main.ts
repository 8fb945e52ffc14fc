import assert from "node:assert/strict"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeWav } from "@earmark/core/audio"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

const folder = await mkdtemp(join(tmpdir(), "earmark-mcp-"))
const file = join(folder, "talk.wav")

// Two seconds that are loud enough to be taken for a voice.
const tone = Int16Array.from({ length: 32_000 }, (_, at) => 9000 * Math.sin(at / 12) * Math.sin(at / 700))
await writeFile(file, writeWav(tone))

// #region connect
const client = new Client(
  { name: "example", version: "1.0.0" },
  { versionNegotiation: { mode: { pin: "2026-07-28" } } },
)
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: ["packages/cli/bin/earmark.js", "mcp", "--local"],
    env: {
      EARMARK_DATA_DIR: join(folder, "data"),
      EARMARK_ENGINE: "scripted",
      EARMARK_MCP_SAVE_FOLDER: folder,
    },
  }),
)
// #endregion

try {
  // #region call
  const call = async (name: string, args: Record<string, unknown>) => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: args })
    assert.notEqual(isError, true, JSON.stringify(structuredContent))
    return Object(structuredContent)
  }

  const { media_ref } = await call("upload_file", { path: file })
  const { id, status } = await call("transcribe", { media_ref, title: "A talk" })
  const { text } = await call("get_transcription", { id })
  const { cue_count } = await call("export_transcript", { id, format: "srt", save_to: "talk.srt" })
  // #endregion

  assert.equal(status, "done")
  assert.ok(text.length > 0)
  assert.ok(cue_count > 0)
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === "ask_transcript"))
  const again = await client.callTool({
    name: "export_transcript",
    arguments: { id, format: "srt", save_to: "talk.srt" },
  })
  assert.equal(again.isError, true)
  console.log(`${tools.length} tools; transcribed, read and saved`)
} finally {
  await client.close()
  await rm(folder, { recursive: true, force: true })
}
