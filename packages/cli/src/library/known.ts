/** What is finished already, by what decides about its words: so that nothing is heard twice. */
import { readFileSync } from "node:fs"
import { JobSummary } from "@earmark/core/jobs"
import type { Finished } from "@earmark/service"
import { Option, Schema } from "effect"
import { contentPath, type Entry, entriesIn, readHead } from "./entries.js"
import { unpack } from "./packed.js"

const decodeKey = Schema.decodeUnknownOption(Schema.parseJson(Schema.Struct({ key: Schema.String })))

const keyIn = ({ path }: Entry): string | null => {
  try {
    return Option.getOrNull(decodeKey(readFileSync(path, "utf8")))?.key ?? null
  } catch {
    return null
  }
}

const decodeJob = Schema.decodeOption(JobSummary)

/** Null when it is gone, or damaged. */
const readKnown = (folder: string, entry: Pick<Entry, "id" | "path">): Finished | null => {
  const head = readHead(entry)
  const job = head === null ? null : Option.getOrNull(decodeJob(head.job))
  if (job?.status !== "done") return null
  const { origin, engine, durationSeconds, wordCount, enrichment, integrity, warnings } = job
  try {
    return {
      content: unpack(contentPath(folder, entry.id)),
      origin,
      engine,
      detectedLanguage: job.detectedLanguage ?? null,
      durationSeconds,
      wordCount,
      credits: 0,
      billedMinutes: 0,
      enrichment,
      integrity,
      warnings,
    }
  } catch {
    return null
  }
}

/** The heads are read once, when somebody asks for the first time, and again when an entry is not where it was. */
export const makeKnown = (folder: string) => {
  let entries: Map<string, Pick<Entry, "id" | "path">> | undefined

  const load = () => {
    const found = new Map<string, Entry>()
    for (const entry of entriesIn(folder)) {
      const key = entry.status === "done" ? keyIn(entry) : null
      // The newest comes first.
      if (key !== null && !found.has(key)) found.set(key, entry)
    }
    return found
  }

  const find = (key: string): Finished | null => {
    entries ??= load()
    const entry = entries.get(key)
    if (entry === undefined) return null
    const known = readKnown(folder, entry)
    if (known !== null) return known
    entries = load()
    const other = entries.get(key)
    return other === undefined ? null : readKnown(folder, other)
  }

  return {
    find,
    /** It is finished in this run. */
    add: (key: string, entry: Pick<Entry, "id" | "path">): void => void entries?.set(key, entry),
  }
}
