import type { StoredRevision } from "./editsFile.js"

/** What is listed of a revision. */
export interface ListedRevision {
  readonly revision: number
  readonly made_at: string
  /** Who made it; null in a library of files. */
  readonly made_by: string | null
  /** How many operations it has; null where it takes another one back. */
  readonly operations: number | null
  /** The revision that it takes back. */
  readonly undo: number | null
}

/** The newest revision that is not taken back, and takes none back itself; null where there is none. */
export const newestInEffect = (newestFirst: ReadonlyArray<ListedRevision>): number | null => {
  const takenBack = new Set<number>()
  for (const { revision, undo } of newestFirst) {
    if (takenBack.has(revision)) continue
    if (undo === null) return revision
    takenBack.add(undo)
  }
  return null
}

/** Revisions of files, as servers list theirs. */
export const listedRevisions = (stored: ReadonlyArray<StoredRevision>): ReadonlyArray<ListedRevision> =>
  stored.map((each) => ({
    revision: each.revision,
    made_at: each.made_at,
    made_by: null,
    operations: "undo" in each ? null : each.operations.length,
    undo: "undo" in each ? each.undo : null,
  }))
