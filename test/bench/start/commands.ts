/** How soon a command has ended that does hardly anything, beside a Node that does nothing. */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Outcome, race, sized } from "../harness.js"
import { inFolder } from "../http/servers.js"

const ROUNDS = sized(15, 1)

const HELP = 2.2
const COMMAND = 3.5

const COMMANDS = {
  "--help": HELP,
  "config list": COMMAND,
  "captions talk.srt --format vtt": COMMAND,
  "jobs list": COMMAND,
  "models list": COMMAND,
  "search word": COMMAND,
  "export tr_00000000000000000000000000": COMMAND,
  "transcribe talk.wav --dry-run": COMMAND,
} as const

const CAPTIONS = "1\n00:00:00,000 --> 00:00:01,000\nGood morning.\n"

/** A second of silence. */
const silence = (): Buffer => {
  const bytes = Buffer.alloc(44 + 32_000)
  bytes.write("RIFF", 0)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write("WAVEfmt ", 8)
  bytes.writeUInt32LE(16, 16)
  // PCM, one channel, 16 kHz, 16 bits.
  for (const [at, value] of [1, 1].entries()) bytes.writeUInt16LE(value, 20 + 2 * at)
  bytes.writeUInt32LE(16_000, 24)
  bytes.writeUInt32LE(32_000, 28)
  for (const [at, value] of [2, 16].entries()) bytes.writeUInt16LE(value, 32 + 2 * at)
  bytes.write("data", 36)
  bytes.writeUInt32LE(32_000, 40)
  return bytes
}

/** In turn with Node, so that other processes slow down both; the least time of each. */
export const startOfCommands = (command: string): Promise<ReadonlyArray<Outcome>> =>
  inFolder(async (folder) => {
    writeFileSync(join(folder, "talk.srt"), CAPTIONS)
    writeFileSync(join(folder, "talk.wav"), silence())
    const places = ["CONFIG", "STATE", "CACHE", "DATA"].map((name) => [
      `XDG_${name}_HOME`,
      join(folder, name),
    ])
    const env = { ...process.env, HOME: folder, ...Object.fromEntries(places) }
    const run = (args: ReadonlyArray<string>) => () => {
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" })
      // Nothing is found in a library that is empty: 1.
      if (status !== 0 && status !== 1) throw new Error(stderr)
    }
    const names = Object.keys(COMMANDS)
    const ours = Object.fromEntries(names.map((name) => [name, run([command, ...name.split(" ")])]))
    // What is compiled is kept by the first run of each.
    for (const first of Object.values(ours)) first()
    const times: Readonly<Record<string, number>> = race<string>({ node: run(["-e", "0"]), ...ours }, ROUNDS)
    const node = times.node ?? 0
    return Object.entries(COMMANDS).map(([name, most]): Outcome => {
      const took = times[name] ?? 0
      const ratio = took / node
      return {
        ...{ bench: `earmark ${name}, ms`, ours: took, rival: node, rivalName: "node -e 0", ratio },
        ...{ bar: `<= ${most}x`, pass: ratio <= most },
      }
    })
  })
