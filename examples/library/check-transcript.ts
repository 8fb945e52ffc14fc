import { compareTexts, markedAlignment } from "@earmark/core/text"
import { integrityOf } from "@earmark/core/transcripts"
import { Either } from "effect"

// #region integrity
const report = integrityOf({
  duration: 60_000,
  segments: [{ start: 0, end: 12_000, speaker: null, text: "This is all that was written down.", words: [] }],
  voice: [
    { start: 0, end: 12_000 },
    { start: 15_000, end: 58_000 },
  ],
})
console.log(report.coverage, report.flags)
console.log(report.gaps)
// #endregion

// #region errors
const compared = compareTexts("It's their twenty-one books", "it is there 21 books and", { language: "en" })
if (Either.isRight(compared)) {
  console.log(compared.right.words.rate)
  console.log(markedAlignment(compared.right.alignment))
}
// #endregion
