import { randomBytes } from "node:crypto"
import {
  type AccountId,
  effectiveOptions,
  ID_RANDOM_BYTES,
  type IdKind,
  JobId,
  makeId,
} from "@earmark/core/jobs"
import type { NewJob } from "@earmark/service"

export const newId = (kind: IdKind, now = 0) => makeId(kind, now, randomBytes(ID_RANDOM_BYTES))

/** The least that a job can be. */
export const newJob = (account: AccountId, hold = 1, createdAt = 0): NewJob => ({
  id: JobId.make(newId("job", createdAt)),
  account,
  title: null,
  source: { shown: { kind: "media" }, mediaUrl: null, link: null, identity: null },
  options: effectiveOptions({}),
  metadata: null,
  key: null,
  durationSeconds: null,
  createdAt,
  expiresAt: null,
  hold,
})
