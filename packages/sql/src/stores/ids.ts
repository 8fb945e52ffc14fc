import { randomBytes } from "node:crypto"
import { ID_RANDOM_BYTES, type IdKind, makeId } from "@earmark/core/jobs"

/** A new id of a row that only the store makes. */
export const newId = (kind: IdKind, now: number): string => makeId(kind, now, randomBytes(ID_RANDOM_BYTES))
