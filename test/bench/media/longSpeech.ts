/** Hours of speech from a minute of it: flite speaks, ffmpeg packs and repeats. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { seededRandom, sentences } from "@earmark/testkit"
import { sized } from "../harness.js"

const run = (program: string, ...args: ReadonlyArray<string>) =>
  execFileSync(program, [...args], { stdio: ["ignore", "ignore", "inherit"] })

const ffmpeg = (...args: ReadonlyArray<string>) => run("ffmpeg", "-v", "error", "-nostdin", "-y", ...args)

export interface Speech {
  /** Stereo MP3 of so many minutes. */
  readonly minutes: (count: number) => string
  readonly remove: () => void
}

/** A folder with speech in it. */
export const makeSpeech = (): Speech => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const at = (name: string) => join(folder, name)
  const text = sentences(sized(24, 4), seededRandom(11))
  for (const [index, sentence] of text.entries()) {
    const voice = ["rms", "awb", "slt"][index % 3] ?? "rms"
    run("flite", "-voice", voice, "-t", sentence, "-o", at(`${index}.wav`))
  }
  const inputs = text.flatMap((_, index) => ["-i", at(`${index}.wav`)])
  const parts = text.map((_, index) => `[${index}]aresample=44100,apad=pad_dur=0.6[s${index}]`).join(";")
  const all = text.map((_, index) => `[s${index}]`).join("")
  const join_ = `${parts};${all}concat=n=${text.length}:v=0:a=1`
  ffmpeg(...inputs, "-filter_complex", join_, "-ac", "2", "-c:a", "libmp3lame", "-b:a", "64k", at("once.mp3"))
  return {
    minutes: (count) => {
      const file = at(`${count}.mp3`)
      ffmpeg("-stream_loop", "-1", "-i", at("once.mp3"), "-t", `${count * 60}`, "-c", "copy", file)
      return file
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const TICKS_PER_SECOND = 100

/** Processor seconds of this process and of the programs that it ran and that have ended. */
export const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? []
  const ofChildren = (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  return (user + system) / 1e6 + ofChildren
}
