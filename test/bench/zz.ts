import { buildCues, captionProfile, lintCues } from "@earmark/core/captions"
import { cellWidth, splitUnits } from "@earmark/core/text"
import { repairWords, spreadWords, type Word } from "@earmark/core/transcripts"
import { wordStream, seededRandom } from "@earmark/testkit"
const t = (name: string, f: () => unknown) => { const s = performance.now(); const r = f(); console.log(name, (performance.now() - s).toFixed(0), "ms", r) }
const ws = wordStream()
const mono = wordStream({ speakers: 1, unpunctuated: 1 })
const p = (o: object = {}) => captionProfile("standard", { language: "en", ...o })
for (let i = 0; i < 3; i++) {
t("standard", () => buildCues(ws, { profile: p() }).length)
t("3 lines", () => buildCues(ws, { profile: p({ maxLines: 3 }) }).length)
t("1 line", () => buildCues(ws, { profile: p({ maxLines: 1 }) }).length)
t("100x3", () => buildCues(ws, { profile: p({ maxLines: 3, maxCharsPerLine: 100 }) }).length)
t("100x3 mono", () => buildCues(mono, { profile: p({ maxLines: 3, maxCharsPerLine: 100, maxDuration: 60000 }) }).length)
t("repair", () => repairWords(ws).length)
t("lint", () => { const c = buildCues(ws, { profile: p() }); const s = performance.now(); const r = lintCues(c, p()); return [performance.now() - s, JSON.stringify({...r, findings: 0})] })
}
const z = (n: number, f: (i: number) => Partial<Word>): Word[] => Array.from({ length: n }, (_, i) => ({ text: "x", start: i * 100, end: i * 100 + 100, confidence: null, speaker: null, ...f(i) }))
t("100k x at 0", () => buildCues(z(100_000, () => ({ start: 0, end: 0 })), { profile: p() }).length)
t("100k x at 0, 100x3, 60 s", () => buildCues(z(100_000, () => ({ start: 0, end: 0 })), { profile: p({ maxLines: 3, maxCharsPerLine: 100, maxDuration: 60000 }) }).length)
t("100k combining", () => buildCues(z(100_000, () => ({ text: "\u0301" })), { profile: p() }).length)
t("100k 。", () => buildCues(z(100_000, () => ({ text: "。" })), { profile: p() }).length)
t("100k )", () => buildCues(z(100_000, () => ({ text: ")" })), { profile: p() }).length)
t("100k 今", () => buildCues(z(100_000, () => ({ text: "今" })), { profile: p() }).length)
t("100k backward", () => buildCues(z(100_000, (i) => ({ start: 1e9 - i * 100 })), { profile: p() }).length)
const r = seededRandom(1)
t("100k random times", () => buildCues(z(100_000, (i) => ({ start: r() * 1e9, end: r() * 1e9 })), { profile: p() }).length)
t("100k alternate speakers", () => buildCues(z(100_000, (i) => ({ speaker: String(i % 2) })), { profile: p() }).length)
t("100k overlong", () => buildCues(z(100_000, (i) => ({ text: "y".repeat(50) + i })), { profile: p() }).length)
for (const ch of ["x", "今", "👨‍👩‍👧‍👦", "\u0301", "、", "สวัสดี", " ", "a ", "今 ", "? "]) {
  const big = ch.repeat(Math.ceil(5e6 / ch.length))
  t("5M " + JSON.stringify(ch), () => buildCues([{ text: big, start: 0, end: 1e6, confidence: null, speaker: null }], { profile: p() }).length)
  t("  width", () => cellWidth(big))
  t("  units", () => splitUnits(big).length)
  t("  spread", () => spreadWords({ start: 0, end: 1e6, speaker: null, text: big }).length)
}
