/** The words of shows: batches of episodes. */
import { plural } from "./plural.js"

export const showsWords = {
  title: "Shows",
  text: "Whole podcasts: every episode with its state and price.",
  empty: "No shows yet",
  emptyText: "Paste the address of a podcast feed to see its episodes and what they would cost.",
  action: "Add a show",
  done: "done",
  running: "running",
  failed: "failed",
  waiting: "waiting for credits",
  deleted: "deleted",
  billed: (minutes: number) => `${plural(minutes, "minute", "minutes")} billed`,
  cancel: "Cancel the rest",
  keep: "Keep transcribing",
  cancelTitle: "Cancel the episodes that are not done?",
  cancelText: "Finished episodes stay. Canceled episodes cost nothing.",
  retry: "Retry failed episodes",
  retried: (count: number) =>
    count === 0
      ? "No episode begins again: they would fail again, or credits are missing."
      : `${plural(count, "episode begins", "episodes begin")} again.`,
} as const
