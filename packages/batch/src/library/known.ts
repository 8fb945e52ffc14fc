/** What is finished already, by what decides about its words: so that nothing is heard twice. */
import { existsSync, readFileSync } from "node:fs"
import { JobSummary } from "@earmark/core/jobs"
import { onUse } from "@earmark/core/onUse"
import {
  type Content,
  type Finished,
  type Known,
  type MediaKeys,
  type ResultKeys,
  withCorrectedTimes,
} from "@earmark/service"
import { Option, Schema } from "effect"
import { editsPath } from "./editsFile.js"
import { contentPath, type Entry, entriesIn, readHead } from "./entries.js"
import { Head, namesIn } from "./Head.js"
import { unpack } from "./packed.js"
import { readRevised } from "./revisedContent.js"

/** What finished work is asked for by: a plan that opened nothing has the one key alone. */
export type KnownKeys = ResultKeys | Pick<MediaKeys, "unopened">

/** What of media of a size can be known: nothing, what was heard of the same bytes, or only what opening them tells. */
export type KnownBySize = (bytes: number) => "no" | "unopened" | "opened"

type Keys = Pick<Head, "key" | "heard" | "bytes" | "unopened">

const decodeKeys = onUse(() =>
  Schema.decodeUnknownOption(Schema.parseJson(Head.pipe(Schema.pick("key", "heard", "bytes", "unopened")))),
)

const keysIn = ({ path }: Entry): Keys => {
  try {
    return Option.getOrElse(decodeKeys()(readFileSync(path, "utf8")), () => ({}))
  } catch {
    return {}
  }
}

const decodeJob = onUse(() => Schema.decodeOption(JobSummary))

/** What people have corrected since is a text without extras: those that there are were made of other words. Null where nobody has. */
const correctedIn = (folder: string, id: string): Content | null => {
  if (!existsSync(editsPath(folder, id))) return null
  const { content, revision } = readRevised(folder, id)
  return revision === 0 ? null : { ...content, summary: null, chapters: null, translation: null }
}

/** What something known is to stand for. */
export interface Wanted extends Pick<Head["again"], "source" | "episode"> {
  readonly id: string
}

/** Corrections are of one source: the same media elsewhere are as they were heard. An entry finds itself so, too, with its own beside that. */
const takesCorrections = ({ id, again }: { readonly id: string } & Pick<Head, "again">, wanted: Wanted) =>
  id !== wanted.id &&
  wanted.source !== null &&
  again.source === wanted.source &&
  again.episode === wanted.episode

/** Null when it is gone, or damaged. */
const readKnown = (
  folder: string,
  entry: Pick<Entry, "id" | "path">,
  { by, wanted }: { readonly by: keyof ResultKeys; readonly wanted: Wanted | null },
): Known | null => {
  const head = readHead(entry)
  const job = head === null ? null : Option.getOrNull(decodeJob()(head.job))
  if (head === null || job?.status !== "done") return null
  const { origin, engine, durationSeconds, wordCount, enrichment } = job
  try {
    const isSource = wanted !== null && takesCorrections({ ...entry, again: head.again }, wanted)
    const corrected = isSource ? correctedIn(folder, entry.id) : null
    const content = corrected ?? unpack(contentPath(folder, entry.id))
    const { wordTiming = null, integrity, warnings } = job
    const finished: Finished = {
      ...withCorrectedTimes({ wordTiming, integrity, warnings }, content),
      content,
      origin,
      engine,
      detectedLanguage: job.detectedLanguage ?? null,
      durationSeconds,
      wordCount,
      credits: 0,
      billedMinutes: 0,
      minutes: 0,
      enrichment,
      speakerNames: namesIn(head),
    }
    return { finished, by: corrected === null ? by : "heard" }
  } catch {
    return null
  }
}

type Where = Pick<Entry, "id" | "path">

/** Entries by what they are known by. Of one without extras all that it is was heard. */
const emptyIndex = () => ({
  whole: new Map<string, Where>(),
  heard: new Map<string, Where>(),
  unopened: new Map<string, Where>(),
  /** Of all media that have a key; undefined among them where an entry does not say. */
  sizes: new Set<number | undefined>(),
  /** Of those whose entries only the keys of opened media find. */
  openedSizes: new Set<number | undefined>(),
})

type Index = ReturnType<typeof emptyIndex>

const put = (index: Index, { key, heard = key, bytes, unopened }: Keys, entry: Where): void => {
  if (key !== undefined) index.whole.set(key, entry)
  if (heard === undefined) return
  index.heard.set(heard, entry)
  index.sizes.add(bytes)
  if (unopened === undefined) index.openedSizes.add(bytes)
  else index.unopened.set(unopened, entry)
}

/** The heads are read once, when somebody asks for the first time, and again when an entry is not where it was. */
export const makeKnown = (folder: string) => {
  let index: Index | undefined

  const load = (): Index => {
    const found = emptyIndex()
    const entries = entriesIn(folder).filter(({ status }) => status === "done")
    // The newest comes first, and is put over the others.
    for (const entry of entries.toReversed()) put(found, keysIn(entry), entry)
    return found
  }

  const findBy = (by: keyof ResultKeys | "unopened", key: string, wanted: Wanted | null): Known | null => {
    index ??= load()
    const read = (entry: Where | undefined) =>
      entry === undefined ? null : readKnown(folder, entry, { by: by === "unopened" ? "heard" : by, wanted })
    const entry = index[by].get(key)
    if (entry === undefined) return null
    const known = read(entry)
    if (known !== null) return known
    index = load()
    return read(index[by].get(key))
  }

  return {
    bySize: ((bytes) => {
      index ??= load()
      const isIn = (sizes: Index["sizes"]) => sizes.has(bytes) || sizes.has(undefined)
      if (isIn(index.openedSizes)) return "opened"
      return isIn(index.sizes) ? "unopened" : "no"
    }) satisfies KnownBySize,
    /** All of it, if that is there, else what was heard. */
    find: (keys: KnownKeys, wanted: Wanted | null): Known | null =>
      "whole" in keys
        ? (findBy("whole", keys.whole, wanted) ?? findBy("heard", keys.heard, wanted))
        : findBy("unopened", keys.unopened, wanted),
    /** It is finished in this run. */
    add: (keys: Keys, entry: Where): void => {
      if (index !== undefined) put(index, keys, entry)
    },
  }
}
