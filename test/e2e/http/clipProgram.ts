import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { recording } from "./world.js"

/** A program in the place of yt-dlp, which knows one post: a recording of more than a minute and a half. */
export const clipProgram = () => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-clip-"))
  const clip = join(folder, "clip.wav")
  const program = join(folder, "yt-dlp")
  writeFileSync(clip, recording(50, 80))
  writeFileSync(
    program,
    `#!${process.execPath}
const fs = require("node:fs")
const args = process.argv.slice(2)
const output = args[args.indexOf("--output") + 1]
if (args.includes("--version")) console.log("2026.08.01")
else if (args.includes("--output")) fs.copyFileSync(${JSON.stringify(clip)}, output + ".wav")
else console.log(JSON.stringify({ title: "A long clip", duration: 140, language: "en" }))
`,
  )
  chmodSync(program, 0o755)
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
