/**
 * The folder of the library. An entry is two files: a head, whose name tells time, id and state, and a content. So the names are the
 * index, and nothing has to be kept in step with the entries.
 */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { ID_RANDOM_BYTES, type JobStatus, makeId } from "@earmark/core/jobs"
import { onUse } from "@earmark/core/onUse"
import { Option, Schema } from "effect"
import { DRAFT } from "../state/stateFiles.js"
import { editedEntryOf } from "./editsFile.js"
import { Head, Recording } from "./Head.js"

/** What the name of a head tells. */
export interface Entry {
  readonly id: string
  readonly createdAt: number
  readonly status: JobStatus
  readonly path: string
}

const NAME = /^(\d{13})-(tr_[0-9a-z]{26})\.(queued|failed|done)\.json$/
export const CONTENT = /^(tr_[0-9a-z]{26})\.gz$/

const STATES: ReadonlyArray<JobStatus> = ["queued", "failed", "done"]

const entryOf = (folder: string, name: string): Entry | null => {
  const [, time, id, state] = NAME.exec(name) ?? []
  const status = STATES.find((each) => each === state)
  if (time === undefined || id === undefined || status === undefined) return null
  return { id, createdAt: Number(time), status, path: `${folder}/${name}` }
}

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** The names in the folder; none where there is no folder yet. */
export const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch (cause) {
    if (isMissing(cause)) return []
    throw cause
  }
}

export const headsIn = (folder: string, names: ReadonlyArray<string>): ReadonlyArray<Entry> =>
  names.map((name) => entryOf(folder, name)).filter((entry) => entry !== null)

/** What is done counts more than what is not, then the newer one. */
const countsMore = (entry: Entry, newer: Entry): boolean => entry.status === "done" && newer.status !== "done"

/** Every entry once, newest first. Two runs that write the same one, or a killed one, may have left it twice. */
export const entriesIn = (folder: string): ReadonlyArray<Entry> => {
  const found = new Map<string, Entry>()
  // Names begin with their time.
  const names = namesIn(folder).filter((name) => name.endsWith(".json"))
  for (const entry of headsIn(folder, names.sort().reverse())) {
    const newer = found.get(entry.id)
    if (newer === undefined) found.set(entry.id, entry)
    else if (countsMore(entry, newer)) found.set(entry.id, { ...entry, createdAt: newer.createdAt })
  }
  return [...found.values()]
}

/** How the folder stands: its heads, and when those that are not finished were written. */
export const stateOf = (folder: string): string => {
  const heads = headsIn(folder, namesIn(folder).toSorted())
  const writtenAt = ({ path }: Entry) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return heads
    .map((head) => (head.status === "queued" ? `${head.path} ${writtenAt(head)}` : head.path))
    .join("\n")
}

/** Null when there is nothing that can be read. */
const readJson = <Read>(
  { path, id }: Pick<Entry, "path" | "id">,
  decode: (text: unknown) => Option.Option<Read>,
  idIn: (read: Read) => string,
): Read | null => {
  try {
    const read = Option.getOrNull(decode(readFileSync(path, "utf8")))
    return read !== null && idIn(read) === id ? read : null
  } catch {
    return null
  }
}

const decodeHead = onUse(() => Schema.decodeUnknownOption(Schema.parseJson(Head)))
const decodeRecording = onUse(() => Schema.decodeUnknownOption(Schema.parseJson(Recording)))
const idIn = ({ job }: { readonly job: { readonly id: string } }) => job.id

export const readHead = (entry: Pick<Entry, "path" | "id">): Head | null =>
  readJson(entry, decodeHead(), idIn)

/** The part of a head that tells the recording: a fraction of the work where thousands are read. */
export const readRecording = (entry: Entry): Recording | null => readJson(entry, decodeRecording(), idIn)

export const headPath = (folder: string, { id, status, created_at }: Head["job"]): string =>
  `${folder}/${String(Date.parse(created_at)).padStart(13, "0")}-${id}.${status}.json`

export const contentPath = (folder: string, id: string): string => join(folder, `${id}.gz`)

/** What decides about the words of an entry. */
export interface Origin {
  readonly identity: string
  /** The state of the source. */
  readonly state: string
  /** What was asked for. */
  readonly asked: string
}

const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest()

const TIME_BYTES = 6

/** The same origin has the same id; ids of the same source and wishes in different states begin alike. */
export const idOf = ({ identity, state, asked }: Origin): string =>
  makeId(
    "job",
    digestOf(JSON.stringify([identity, asked])).readUIntBE(0, TIME_BYTES),
    digestOf(state).subarray(0, ID_RANDOM_BYTES),
  )

const LIKE = "tr_".length + 10

/** What the ids of the same source and wishes have in common. */
export const likeOf = (id: string): string => id.slice(0, LIKE)

/** Takes an entry away, its heads first. Answers whether there was one. */
export const removeEntry = async (folder: string, id: string): Promise<boolean> => {
  const names = namesIn(folder)
  const heads = headsIn(folder, names).filter((entry) => entry.id === id)
  for (const { path } of heads) await rm(path, { force: true })
  await rm(contentPath(folder, id), { force: true })
  for (const name of names.filter((name) => editedEntryOf(name) === id))
    await rm(join(folder, name), { force: true })
  return heads.length > 0
}

/** Takes away everything that is kept. Answers how many entries there were. */
export const removeAll = async (folder: string): Promise<number> => {
  const names = namesIn(folder)
  const count = entriesIn(folder).length
  const own = names.filter(
    (name) => NAME.test(name) || CONTENT.test(name) || editedEntryOf(name) !== null || name.endsWith(DRAFT),
  )
  for (const name of own) await rm(join(folder, name), { force: true })
  return count
}
