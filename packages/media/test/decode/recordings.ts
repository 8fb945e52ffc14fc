/** Media that the tests make for themselves: flite speaks, ffmpeg packs. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { atEndOfFile } from "../../../../test/servers/endOfFile.js"

const isThere = (program: string, ...args: ReadonlyArray<string>) =>
  spawnSync(program, args).error === undefined

const missing = [
  ...(isThere("ffmpeg", "-version") && isThere("ffprobe", "-version") ? [] : ["ffmpeg"]),
  ...(isThere("flite", "--version") ? [] : ["flite"]),
]

/** Why no media can be made; null when they can. With `CI=true` a missing program is a failure. */
export const programsMissing: string | null =
  missing.length === 0 ? null : `Missing: install the packages ${missing.join(" ")}`

if (programsMissing !== null) {
  if (process.env.CI === "true") throw new Error(programsMissing)
  process.stderr.write(`Tests on media are skipped. ${programsMissing}\n`)
}

/** A folder that goes when the tests of a file are over. */
let folder: string | undefined
let speechFile: string | undefined

export const inFolder = (name: string): string => {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "earmark-media-test-"))
    folder = made
    atEndOfFile(() => {
      folder = undefined
      speechFile = undefined
      rmSync(made, { recursive: true, force: true })
    })
  }
  return join(folder, name)
}

export const ffmpeg = (...args: ReadonlyArray<string>): void => {
  execFileSync("ffmpeg", ["-v", "error", "-nostdin", "-y", ...args], { stdio: ["ignore", "ignore", "pipe"] })
}

const SENTENCES = [
  "The train was late, so we walked along the river.",
  "Nobody had seen the lighthouse since the winter storm.",
  "Please bring the red notebook and two sharp pencils.",
]

/** Three sentences with a pause of a second and a half before each and behind the last, 16 kHz mono. */
export const speech = (): string => {
  if (speechFile !== undefined) return speechFile
  const spoken = SENTENCES.map((sentence, index) => {
    const file = inFolder(`sentence-${index}.wav`)
    execFileSync("flite", ["-voice", "rms", "-t", sentence, "-o", file])
    return file
  })
  const made = inFolder("speech.wav")
  const inputs = spoken.flatMap((file) => ["-i", file])
  const padded = spoken
    .map((_, index) => `[${index}]aresample=16000,adelay=1500,volume=0.7[s${index}]`)
    .join(";")
  const all = spoken.map((_, index) => `[s${index}]`).join("")
  ffmpeg(
    ...inputs,
    "-filter_complex",
    `${padded};${all}concat=n=3:v=0:a=1,apad=pad_dur=1.5`,
    "-ac",
    "1",
    made,
  )
  speechFile = made
  return made
}

/** How each container is made of the speech; those with a picture get one. */
export const containers: Readonly<Record<string, ReadonlyArray<string>>> = {
  mp3: ["-c:a", "libmp3lame", "-ar", "44100", "-ac", "2"],
  m4a: ["-c:a", "aac"],
  mp4: [
    "-f",
    "lavfi",
    "-i",
    "testsrc=s=64x48:r=5",
    "-shortest",
    "-c:v",
    "mpeg4",
    "-c:a",
    "aac",
    "-ar",
    "48000",
  ],
  mov: ["-c:a", "pcm_s16be"],
  webm: ["-f", "lavfi", "-i", "testsrc=s=64x48:r=5", "-shortest", "-c:v", "libvpx", "-c:a", "libvorbis"],
  ogg: ["-c:a", "libvorbis"],
  opus: ["-c:a", "libopus"],
  flac: ["-c:a", "flac", "-ar", "48000", "-ac", "2"],
  wav: ["-c:a", "pcm_s24le", "-ar", "44100", "-ac", "2"],
  mkv: ["-f", "lavfi", "-i", "testsrc=s=64x48:r=5", "-shortest", "-c:v", "libx264", "-c:a", "libmp3lame"],
  aac: ["-c:a", "aac", "-f", "adts"],
  wma: ["-c:a", "wmav2"],
  avi: ["-f", "lavfi", "-i", "testsrc=s=64x48:r=5", "-shortest", "-c:v", "mpeg4", "-c:a", "libmp3lame"],
  ts: ["-c:a", "aac", "-f", "mpegts"],
  aiff: ["-c:a", "pcm_s16be"],
  amr: ["-ar", "8000", "-c:a", "adpcm_ima_qt", "-f", "mov"],
}

export const recording = (extension: string): string => {
  const file = inFolder(`speech-as.${extension}`)
  ffmpeg("-i", speech(), ...(containers[extension] ?? []), file)
  return file
}
