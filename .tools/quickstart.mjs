// `npm run quickstart`: from a fresh clone to the main job, done on bundled files.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root, run, setup, setupPrograms } from "./setup.mjs"

setup()
setupPrograms(["ffmpeg"])
const step = (sentence, ...args) => {
  process.stdout.write(`${sentence} ...`)
  const began = Date.now()
  const { code, output } = run("npm", ["--silent", ...args], { quiet: true })
  process.stdout.write(` ${Math.round((Date.now() - began) / 1000)} s\n`)
  if (code === 0) return
  process.stderr.write(`${output}\nThe build failed. Report the lines above.\n`)
  process.exit(1)
}

// The command, which is bundled from the sources of all packages, with the console beside it: `npm run build` builds the packages too.
step("Building the console", "run", "build", "--workspace", "packages/console")
step("Building the command", "run", "build", "--workspace", "packages/cli")

// The models of the speech engine. Without them an engine for drafts has to do.
process.stdout.write("\n")
const cli = `${root}packages/cli/dist/main.cjs`
const models = run(process.execPath, [cli, "models", "pull", "moonshine-base", "silero-vad"])
const native = `sherpa-onnx-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
if (models.code !== 0 || !existsSync(`${root}node_modules/${native}`)) {
  const why = models.code === 0 ? `${native} is not installed` : "The speech models could not be downloaded"
  process.stdout.write(`${why}, so pocketsphinx transcribes: expect a draft with mistakes.\n`)
  setupPrograms(["pocketsphinx"])
}

const results = mkdtempSync(join(tmpdir(), "earmark-quickstart-"))
process.on("exit", () => rmSync(results, { recursive: true, force: true }))

const show = (cwd, ...args) => {
  process.stdout.write(`\n$ earmark ${args.join(" ")}\n`)
  // What an earlier quickstart has made is made again.
  const env = { XDG_STATE_HOME: join(results, ".state"), EARMARK_MODELS_DOWNLOAD: "never" }
  const { code } = run(process.execPath, [cli, ...args], { cwd, env })
  if (code !== 0) process.exit(code)
}

const CUES = 3

const print = (name, text) => process.stdout.write(`\n$ cat ${name}\n${text.trimEnd()}\n`)

show(root, "feed", "examples/quickstart/show.xml")
show(root, "captions", "examples/quickstart/interview.vtt", "--format", "srt")
copyFileSync(`${root}examples/quickstart/museum.ogg`, join(results, "museum.ogg"))
show(results, "transcribe", "museum.ogg", "--diarize", "--language", "en", "--format", "txt,srt")
print("museum.txt", readFileSync(join(results, "museum.txt"), "utf8"))
const cues = readFileSync(join(results, "museum.srt"), "utf8").split("\n\n")
print("museum.srt", `${cues.slice(0, CUES).join("\n\n")}\n...`)
process.stdout.write("\nThat works. Try your own: npx earmark transcribe FILE, or: npx earmark help\n")
