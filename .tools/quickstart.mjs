// `npm run quickstart`: from a fresh clone to the main job, done on bundled files.
import { root, run, setup } from "./setup.mjs"

setup()
process.stdout.write("Building ...\n")
const build = run("npm", ["run", "--silent", "build"], { quiet: true })
if (build.code !== 0) {
  process.stderr.write(`${build.output}\nThe build failed. Report the lines above.\n`)
  process.exit(1)
}

const show = (...args) => {
  process.stdout.write(`\n$ earmark ${args.join(" ")}\n`)
  const { code } = run(process.execPath, [`${root}packages/cli/dist/main.js`, ...args])
  if (code !== 0) process.exit(code)
}

show("feed", "examples/quickstart/show.xml")
show("captions", "examples/quickstart/interview.vtt", "--to", "srt")
process.stdout.write("\nThat works. Try your own files, or: npx earmark --help\n")
