import { type Counts, isTaken, type Result } from "@earmark/batch"
import { shortened, tableOf } from "../table.js"
import { counted, lengthOf } from "./figures.js"
import { countsOf, IN_LIBRARY, nameOf, STATUS_NAMES, upTo } from "./results.js"

const MOST_ROWS = 40

const LONGEST = 48

const lengthIn = (result: Result): string => {
  if (result.status === "done") return lengthOf(result.facts.durationSeconds, result.partSeconds)
  if (result.status !== "planned" || result.seconds === null) return ""
  return lengthOf(result.seconds, result.partSeconds ?? result.seconds)
}

const isKnown = (result: Result): boolean => result.status === "planned" && result.origin === "cache"

const stateOf = (result: Result): string => {
  if (result.status === "done" && result.facts.origin === "cache") return "done before"
  if (isKnown(result)) return IN_LIBRARY
  if (result.status === "planned" && result.origin === "captions") return "publisher's text"
  if (result.status === "skipped" && result.isChanged && !result.isTaken) return "kept as changed"
  return STATUS_NAMES[result.status]
}

const creditsOf = (result: Result): string | number | null => {
  if (result.status !== "planned") return ""
  const { credits, creditsAtMost } = result
  const before = upTo(credits, creditsAtMost)
  return before === "" ? creditsAtMost : `${before}${creditsAtMost}`
}

const isCharged = (result: Result) => result.status === "planned" && result.takesCredits

/** Minutes, and credits where they are charged, of all that is planned, with what is not sure of them. */
const sumsOf = (results: ReadonlyArray<Result>): string => {
  // What is in the library already takes no time.
  const planned = results
    .filter((result) => result.status === "planned")
    .filter(({ origin }) => origin !== "cache")
  if (planned.length === 0) return ". Nothing has to be transcribed."
  const sum = (of: (result: (typeof planned)[number]) => number | null) =>
    planned.reduce((all, result) => all + (of(result) ?? 0), 0)
  // As --max-minutes counts: minutes of media, and not those that each of many short ones begins.
  const minutes = counted(Math.ceil(sum(({ partSeconds }) => partSeconds) / 60), "minute")
  const most = sum(({ creditsAtMost }) => creditsAtMost)
  const least = sum(({ credits }) => credits)
  const unknownLengths = planned.filter(({ minutes }) => minutes === null).length
  const unknown = unknownLengths > 0 ? ", and some of unknown length" : ""
  const texts = planned.filter(({ origin }) => origin === "captions").length
  const takesCredits = planned.some(isCharged)
  const gain = takesCredits ? "free" : "not transcribed again"
  const free =
    texts === 0
      ? ""
      : ` ${counted(texts, "published transcript")} can be used: ${gain}, if the download works.`
  const credits = takesCredits ? ` and ${upTo(least, most)}${counted(most, "credit")}` : ""
  if (unknownLengths === planned.length)
    return `. ${unknownLengths === 1 ? "The length is" : "All lengths are"} unknown.${free}`
  return `. ${minutes}${credits}${unknown}.${free}`
}

const isPrinted = (result: Result) => result.status === "planned" && result.printed !== null

const remarkOf = (result: Result): string => {
  if (result.status === "planned" && result.printed !== null) return result.printed
  switch (result.status) {
    case "done":
    case "planned":
    case "skipped": {
      const [first, ...others] = result.outputs
      if (first === undefined) return ""
      return others.length === 0 ? first.path : `${first.path} and ${others.length} more`
    }
    case "failed":
      return result.code
    case "held":
      return result.reason.replace(/\.$/, "")
    case "under_way":
      return `by another run (pid ${result.pid})`
  }
}

/** Of many sources only those are shown that have no result. */
const needsLook = (result: Result) =>
  result.status === "failed" || result.status === "held" || result.status === "under_way" || isTaken(result)

/** What the run came to, for people: a row for each source, or for those that need a look when there are many, and the sums. */
export const summaryOf = (results: ReadonlyArray<Result>, counts: Counts): string => {
  const rows = results.length <= MOST_ROWS ? results : results.filter(needsLook).slice(0, MOST_ROWS)
  const isPlan = counts.planned > 0
  const wouldMake = results.some(isPrinted) ? "would print" : "would write"
  const table = tableOf<Result>(
    [
      {
        head: "source",
        cell: (result) => shortened(result.status === "failed" ? result.source : nameOf(result), LONGEST),
      },
      { head: "is", cell: stateOf },
      {
        head: "length",
        isFlushRight: true,
        cell: lengthIn,
      },
      ...(isPlan
        ? results.some(isCharged)
          ? [{ head: "credits", isFlushRight: true, cell: creditsOf }]
          : []
        : [
            { head: "words", cell: (result: Result) => (result.status === "done" ? result.facts.words : "") },
          ]),
      { head: isPlan ? wouldMake : "result", cell: remarkOf, canBeCut: isPlan },
    ],
    rows,
  )
  return `${rows.length === 0 ? "" : table}${countsOf(counts, results.filter(isKnown).length)}${isPlan ? sumsOf(results) : ""}`
}
