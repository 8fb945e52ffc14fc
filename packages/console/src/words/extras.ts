/** The words of summaries, chapters and translations. */
export const extrasWords = {
  summary: "Summary",
  ready: "It is ready.",
  pending: "This is being made.",
  noSummary: "There is no summary yet.",
  /** A server without a language model has no translations either. */
  sentencesAlone: "No language model is set up here: summaries are sentences taken from the transcript.",
  noChapters: "No chapters were made.",
  noTranslation: "There is no translation yet.",
  makeSummary: "Make a summary",
  makeChapters: "Make chapters",
  makeAgain: "Make it again",
  translate: "Translate",
  translateTo: "Translate into",
  noTranslator:
    "This server has no translator. Whoever runs it can set up a translation service or a language model.",
  noTranslatorHere:
    "No translator is set up on this machine. A translation service or a language model can be one.",
  shownLanguage: "Translation",
  original: "Original",
  stale: "The text was corrected after this was made.",
} as const
