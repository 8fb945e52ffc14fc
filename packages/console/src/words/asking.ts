/** The words of questions to transcripts. */
import { plural } from "./plural.js"

export const askingWords = {
  title: "Ask",
  text: "Answers from your transcripts, with the words they rest on.",
  field: "Your question",
  submit: "Ask",
  start: "What would you like to know?",
  startAll: "Ask about everything you have transcribed. Each answer names the moments it comes from.",
  startOne: "Each answer names the moments of this recording that it comes from.",
  passages: (count: number) =>
    count === 1
      ? "These lines fit the question best, word for word, in the order in which they were said."
      : "These passages fit the question best, word for word: the best passage first, its lines in the order in which they were said.",
  partial: "Part of the answer is missing.",
  notFound: "Nothing in the text fits this question",
  notFoundText: "Try other words, or search for a name.",
  play: "Play",
  read: (read: number, all: number) =>
    all === 1 ? "" : `${read} of ${plural(all, "transcript", "transcripts")} had lines that fit.`,
  dropped: (count: number) =>
    `${plural(count, "statement", "statements")} left out: no transcript bears out what was quoted.`,
} as const
