/** Writes entries, for one run. */
import { existsSync, statSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { DRAFT, writeWhole } from "../state/stateFiles.js"
import { editedEntryOf, keepEarlier, settleEdits } from "./editsFile.js"
import {
  CONTENT,
  contentPath,
  type Entry,
  entriesIn,
  headPath,
  headsIn,
  likeOf,
  namesIn,
  readHead,
} from "./entries.js"
import type { Head } from "./Head.js"
import { unpack } from "./packed.js"

/** What nobody finished writing in such a time was left by a process that was killed. */
const LEFT_BEHIND = 3_600_000

const isOld = (path: string, now: number): boolean => {
  try {
    return now - statSync(path).mtimeMs > LEFT_BEHIND
  } catch {
    return false
  }
}

const removed = async (entries: ReadonlyArray<Entry>): Promise<void> => {
  for (const { path } of entries) await rm(path, { force: true })
}

/** Removes drafts, contents and revisions without a head, and heads that no reader takes, since another one of the same entry counts more. */
const sweep = async (
  folder: string,
  names: ReadonlyArray<string>,
  outdone: ReadonlyArray<Entry>,
  now: number,
): Promise<void> => {
  await removed(outdone)
  const known = new Set(headsIn(folder, names).map(({ id }) => id))
  const isLeft = (name: string) => {
    const id = CONTENT.exec(name)?.[1] ?? editedEntryOf(name) ?? undefined
    return name.endsWith(DRAFT) || (id !== undefined && !known.has(id))
  }
  for (const name of names.filter(isLeft))
    if (isOld(join(folder, name), now)) await rm(join(folder, name), { force: true })
}

/** Revisions are of the lines that they were made for: those of other lines are put aside with their content, and nothing of them is lost. */
const putContent = async (folder: string, id: string, content: Uint8Array): Promise<void> => {
  const path = contentPath(folder, id)
  const isEdited = existsSync(path) && namesIn(folder).some((name) => editedEntryOf(name) === id)
  if (isEdited) await keepEarlier(folder, id, path, () => unpack(path).segments)
  await writeWhole(path, content)
  if (isEdited) await settleEdits(folder, id, unpack(path).segments)
}

/**
 * The folder is read once. What other runs write in the meantime is not seen: an entry may then be there twice, which readers know how
 * to take, and the next run clears up.
 */
export const makeWriter = (folder: string) => {
  /** Heads by what their ids have in common. */
  let heads: Map<string, ReadonlyArray<Entry>> | undefined

  const load = async (now: number) => {
    if (heads !== undefined) return heads
    const names = namesIn(folder)
    const taken = entriesIn(folder)
    const paths = new Set(taken.map(({ path }) => path))
    const found = new Map<string, ReadonlyArray<Entry>>()
    for (const entry of taken) {
      const like = likeOf(entry.id)
      found.set(like, [...(found.get(like) ?? []), entry])
    }
    heads = found
    const outdone = headsIn(folder, names).filter(({ path }) => !paths.has(path))
    await sweep(folder, names, outdone, now)
    return found
  }

  /**
   * Writes an entry whole or not at all: the content first, then the head, then what it takes the place of goes. What is done stays until
   * it is done again; once something is done, what was tried before with an earlier state of the same source goes too.
   */
  const put = async (head: Head, content: Uint8Array | null, now: number): Promise<void> => {
    const { id, status, created_at } = head.job
    const known = await load(now)
    const alike = known.get(likeOf(id)) ?? []
    if (status !== "done" && alike.some((entry) => entry.id === id && entry.status === "done")) return
    const path = headPath(folder, head.job)
    if (content !== null) await putContent(folder, id, content)
    await writeWhole(path, `${JSON.stringify(head)}\n`)
    const others = alike.filter((entry) => entry.path !== path)
    const isReplaced = (entry: Entry) => entry.id === id || (status === "done" && entry.status !== "done")
    const own: Entry = { id, status, createdAt: Date.parse(created_at), path }
    known.set(likeOf(id), [...others.filter((entry) => !isReplaced(entry)), own])
    await removed(others.filter(isReplaced))
  }

  /** What is done already. */
  const doneBefore = async (id: string, now: number): Promise<Head | null> => {
    const alike = (await load(now)).get(likeOf(id)) ?? []
    const entry = alike.find((each) => each.id === id && each.status === "done")
    return entry === undefined ? null : readHead(entry)
  }

  /** Takes back that something has begun; what was done before stays. */
  const takeBack = async (id: string, now: number): Promise<void> => {
    const known = await load(now)
    const isBegun = (entry: Entry) => entry.id === id && entry.status !== "done"
    const alike = known.get(likeOf(id)) ?? []
    known.set(
      likeOf(id),
      alike.filter((entry) => !isBegun(entry)),
    )
    await removed(alike.filter(isBegun))
  }

  return { put, doneBefore, takeBack }
}
