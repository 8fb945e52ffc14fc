#!/usr/bin/env node
// Stands in for the program of whisper.cpp, which no package has: takes its documented options, reads the same files, writes the same JSON.
// It "hears" one word of two tokens for every half second. The model file says how it behaves.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"

const args = process.argv.slice(2)
const valueOf = (name) => args[args.indexOf(name) + 1]
const files = args.flatMap((arg, at) => (arg === "-f" ? [args[at + 1]] : []))
const behaviour = JSON.parse(readFileSync(valueOf("-m"), "utf8"))
appendFileSync(`${valueOf("-m")}.runs`, `${JSON.stringify(args)}\n`)
if (behaviour.unloadable) {
  process.stderr.write("whisper_init_from_file_with_params_no_state: failed to load model\nerror: failed to initialize whisper context\n")
  process.exit(3)
}
const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const tokensOf = (samples) => {
  const tokens = [{ text: "[_BEG_]", offsets: { from: 0, to: 0 }, id: 50364, p: 0.98, t_dtw: -1 }]
  for (let at = 0; at + 8000 <= samples.length; at += 8000) {
    let sum = 7
    for (let index = at; index < at + 8000; index++) sum = (sum * 31 + samples[index]) % 1_000_003
    const from = at / 16
    const text = ` w${Math.abs(sum).toString(36)}`
    tokens.push({ text, offsets: { from, to: from + 200 }, id: 1, p: 0.9, t_dtw: -1 })
    tokens.push({ text: "ly", offsets: { from: from + 200, to: from + 400 }, id: 2, p: 0.6, t_dtw: -1 })
  }
  tokens.push({ text: "[_TT_150]", offsets: { from: 0, to: 0 }, id: 50514, p: 0.1, t_dtw: -1 })
  return tokens
}

for (const [index, file] of files.entries()) {
  await later(behaviour.delay ?? 0)
  if (behaviour.hang) await new Promise(() => setInterval(() => {}, 1000))
  if (behaviour.crashAt === index) process.kill(process.pid, "SIGKILL")
  if (behaviour.rubbish) {
    writeFileSync(`${file}.json`, "{ not json")
    continue
  }
  const wav = readFileSync(file)
  const samples = Array.from({ length: (wav.length - 44) / 2 }, (_, at) => wav.readInt16LE(44 + at * 2))
  const language = valueOf("-l") === "auto" ? "en" : valueOf("-l")
  const tokens = tokensOf(samples)
  const output = {
    systeminfo: "AVX = 1",
    model: { type: "base", multilingual: true },
    params: { model: valueOf("-m"), language: valueOf("-l"), translate: false },
    result: { language },
    transcription: [{ timestamps: { from: "00:00:00,000", to: "00:00:03,000" }, offsets: { from: 0, to: 3000 }, text: tokens.map(({ text }) => text).join(""), tokens }],
  }
  writeFileSync(`${file}.json`, JSON.stringify(output))
}
