import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export type Voice = "slt" | "rms" | "awb" | "kal16"

const RATE = 16
const HEADER = 44
const PEAK = 23_197
const SILENCE_BEFORE = 300
const SILENCE_AFTER = 400

const chunkOf = (wav: Buffer, name: string): Buffer => {
  for (let at = 12; at + 8 <= wav.length; ) {
    const length = wav.readUInt32LE(at + 4)
    if (wav.toString("latin1", at, at + 4) === name) return wav.subarray(at + 8, at + 8 + length)
    at += 8 + length + (length % 2)
  }
  return wav.subarray(HEADER)
}

/** Samples of a 16 kHz mono WAV file of 16 bit. */
export const samplesOfWav = (wav: Buffer): Int16Array => {
  const data = chunkOf(wav, "data")
  return Int16Array.from({ length: data.length >> 1 }, (_, at) => data.readInt16LE(at * 2))
}

/** Whether the synthesiser is installed: Debian's package `flite`. */
export const canSpeak = (): boolean =>
  spawnSync("flite", ["--version"], { stdio: "ignore" }).error === undefined

/** A sentence spoken by a synthesised voice: 16 kHz, mono, with a peak of -3 dB, 0.3 s of silence before and 0.4 s after. */
export const spokenBy = (voice: Voice, sentence: string): Int16Array => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-speech-"))
  const file = join(folder, "speech.wav")
  try {
    const { status, stderr } = spawnSync("flite", ["-voice", voice, "-t", sentence, "-o", file], {
      encoding: "utf8",
    })
    if (status !== 0) throw new Error(`flite could not speak: ${stderr}`)
    const voiced = samplesOfWav(readFileSync(file))
    const loudest = voiced.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
    const samples = new Int16Array(voiced.length + (SILENCE_BEFORE + SILENCE_AFTER) * RATE)
    voiced.forEach((value, at) => {
      samples[SILENCE_BEFORE * RATE + at] = Math.round((value * PEAK) / loudest)
    })
    return samples
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
