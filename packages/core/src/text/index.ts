export { alignUnits, type Step, TooFarApart } from "./align.js"
export { type Chapter, chaptersOf } from "./chapters.js"
export { cleanText } from "./cleanText.js"
export { clockOf } from "./clockOf.js"
export { counted } from "./counted.js"
export { fold } from "./fold.js"
export { cellWidth, countGraphemes, graphemes } from "./graphemes.js"
export { hasWordTimes } from "./hasWordTimes.js"
export { type IdentifiedLanguage, identifyLanguage } from "./identifyLanguage.js"
export { englishNameOf, isKnownLanguage, languageCodeOf, languageNameOf } from "./languageCode.js"
export { baseLanguage } from "./languages.js"
export { readLength, readMoment } from "./moments.js"
export { nearestName, suggestion } from "./nearestName.js"
export { normalizedWords } from "./normalizeTranscript.js"
export {
  type FoundSegment,
  momentIn,
  prepareSearch,
  type SearchHit,
  type SearchIndex,
  type SearchRequest,
  type SearchResult,
} from "./SearchIndex.js"
export { inWholeWords } from "./searchQuery.js"
export {
  ALWAYS_FOUND,
  type IndexedWords,
  indexedWords,
  mayHold,
  type WantedWord,
  type WantedWords,
  type WordForm,
  wantedWords,
  wordsWithNear,
} from "./searchWords.js"
export { endsSentence, type Sentence, sentencesOf, splitSentences } from "./sentences.js"
export { slugOf } from "./slugOf.js"
export { SPEAKER_LABEL } from "./speakerLabel.js"
export { type Summary, type SummaryOptions, summarize } from "./summary.js"
export { type ChapterLimits, chapterLimits } from "./topicBoundaries.js"
export { trimEndOf } from "./trimEndOf.js"
export { hasUnspaced, isSpaced, joinUnits, splitUnits } from "./units.js"
export { decodeWords, encodeWords, type PlacedWord, type WordColumns } from "./wordColumns.js"
export {
  type AlignedWord,
  type CompareOptions,
  type Comparison,
  compareTexts,
  type ErrorCounts,
  markedAlignment,
} from "./wordErrorRate.js"
export { wordsOf } from "./words.js"
