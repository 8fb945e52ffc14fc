/** What a run tells while it goes on, in lines for people. */
import { type BatchObserver, countOf, type Destination, type Notice } from "@earmark/batch"
import { clockOf, counted } from "./figures.js"
import { countsOf, lineOf } from "./results.js"
import type { Teller } from "./Teller.js"

const standing = (destination: Destination): string => {
  if (destination.type !== "folder") return ""
  return destination.path === null
    ? " Results stand beside their sources."
    : ` Results are in ${destination.path}.`
}

const stoppedText = ({
  source,
  spans,
  seconds,
  folder,
}: Extract<Notice, { type: "source_stopped" }>): string => {
  if (folder === null)
    return `${source}: stopped, and nothing could be kept; the same command begins it again.`
  return spans === 0
    ? `${source}: stopped before anything was heard; the same command begins it again.`
    : `${source}: stopped at ${clockOf(seconds)} (kept in ${folder}); the same command goes on there.`
}

const textOf = (notice: Notice, destination: Destination): string => {
  switch (notice.type) {
    case "message":
      return notice.text
    case "resumed":
      return `${notice.source}: going on with what an earlier run has heard.`
    case "not_resumable":
      return `${notice.source}: what is heard cannot be kept for another run (${notice.detail}).`
    case "source_stopped":
      return stoppedText(notice)
    case "speakers_missing":
      return `  --speakers: this transcript has no ${notice.labels.join(" and no ")}.`
    case "speakers_refused":
      return `  --speakers: ${notice.detail}`
    case "job_resumed":
      return `${notice.source}: ${notice.job} is there already; going on with it.`
    case "job_left":
      return `${notice.source}: ${notice.job} goes on at ${notice.baseUrl}. The same command waits for it; earmark jobs cancel ${notice.job} ends it.`
    case "under_way":
      return `${lineOf(notice.result)}${notice.isLater ? "; looked at again at the end" : ""}`
    case "run_stopped": {
      const { all, results } = notice
      const counts = countOf(results)
      const ended = results.length === 0 ? "" : ` ${countsOf(counts)}.`
      const where = counts.done === 0 ? "" : standing(destination)
      return `Stopped after ${results.length} of ${all}.${ended}${where} The same command goes on, as does earmark transcribe --resume.`
    }
    case "feed_added":
      return `${notice.name}: watched from now on; ${counted(notice.left, "older episode")} left alone.`
    case "watching_feeds":
      return `Watching ${counted(notice.count, "feed")}. Ctrl-C ends it.`
    case "watching_folder":
      return `Watching ${notice.folder}. Ctrl-C ends it.`
    case "index_not_written":
      return `The index of ${notice.folder} is not up to date: ${notice.detail}`
    case "library_unwritable":
      return `The library of this machine cannot keep what is transcribed (${notice.detail}); results are written all the same.`
  }
}

/** Tells a run at the terminal. */
export const observerOf = (teller: Teller, destination: Destination): BatchObserver => ({
  notice: (notice) => teller.note(textOf(notice, destination)),
  begin: (name, position) => {
    const line = teller.begin(name, position === null ? "" : `[${position.number}/${position.all}] `)
    return { ...line, notice: (notice) => line.note(textOf(notice, destination)) }
  },
  whole: teller.whole,
  end: teller.end,
})
