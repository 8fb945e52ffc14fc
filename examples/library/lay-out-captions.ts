import { readFileSync } from "node:fs"
import { buildCues, captionProfile, hasFaults, lintCues, readCaptions } from "@earmark/core/captions"
import { Either } from "effect"

// #region layout
const file = Either.getOrThrow(readCaptions(readFileSync("examples/quickstart/reading.json")))
const words = file.cues.flatMap((cue) => cue.words)
const profile = captionProfile("netflix", { language: "en", maxCharsPerLine: 36 })
const cues = buildCues(words, { profile })
for (const { start, end, lines } of cues) console.log(start, end, lines.join(" / "))
// #endregion

// #region lint
const report = lintCues(cues, profile, { duration: 24_000 })
console.log(`${report.ok} of ${report.cues} in order, faults: ${hasFaults(report)}`)
for (const { cue, code, value, limit } of report.findings) console.log(cue, code, value, limit)
// #endregion
