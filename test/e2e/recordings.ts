import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./earmark.js"

const runs = (program: string) => spawnSync(program, ["-version"]).error === undefined

const missing = [
  ...(runs("ffmpeg") ? [] : ["ffmpeg"]),
  ...(runs("pocketsphinx_batch") && existsSync("/usr/share/pocketsphinx/model/en-us")
    ? []
    : ["pocketsphinx pocketsphinx-en-us"]),
]

/** Why nothing can be heard here; null when it can. With `CI=true` a missing program is a failure. */
export const cannotHear: string | null =
  missing.length === 0 ? null : `needs ${missing.join(" ")}: sudo apt-get install ${missing.join(" ")}`

if (cannotHear !== null && process.env.CI === "true") throw new Error(cannotHear)

/** Two people talk for 37 seconds. */
export const museum = join(root, "examples/quickstart/museum.ogg")

/** What is said in it, turn by turn. */
export const museumTurns: ReadonlyArray<string> = [
  ...readFileSync(join(root, "examples/quickstart/museum.sh"), "utf8").matchAll(/^say \w+ "(.*)"$/gm),
].map(([, text = ""]) => text)

/** Words as they sound: how numbers are written is no mistake. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .replace(/\b9\b/g, "nine")
    .replace(/\b300\b/g, "three hundred")
    .replace(/[^a-z' ]+/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "")

/** The same, so many times over. */
export const repeated = (times: number, path: string): string => {
  const made = spawnSync("ffmpeg", [
    ...["-v", "error", "-stream_loop", String(times - 1), "-i", museum],
    ...["-ar", "16000", "-ac", "1", path],
  ])
  if (made.status !== 0) throw new Error(String(made.stderr))
  return path
}
