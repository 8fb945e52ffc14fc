import { MediaRefUnknown } from "@earmark/core/wire"
import { Effect, Either, Layer } from "effect"
import { UploadStore } from "../ports/Uploads.js"
import { guarded } from "./guards.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"

const markStored = (db: Transaction, mediaRef: string, etag: string): boolean => {
  const upload = db.uploads.get(mediaRef)
  if (upload?.state !== "pending" || upload.expiresAt <= db.now) return false
  db.uploads.set(mediaRef, { ...upload, state: "stored", etag })
  return true
}

const markUsed = (db: Transaction, mediaRef: string): void => {
  const upload = db.uploads.get(mediaRef)
  if (upload?.state === "stored") db.uploads.set(mediaRef, { ...upload, state: "used" })
}

const sweep = (db: Transaction, limit: number): ReadonlyArray<string> => {
  const due = db.uploads
    .filter(({ state, expiresAt }) => state !== "used" && expiresAt <= db.now)
    .slice(0, limit)
    .map(({ mediaRef }) => mediaRef)
  for (const mediaRef of due) db.uploads.delete(mediaRef)
  return due
}

export const layer = Layer.effect(
  UploadStore,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase

    return UploadStore.of({
      create: (upload, { guard }) =>
        transact((db) =>
          guarded(db, upload.account, guard, () => {
            if (!db.uploads.has(upload.mediaRef)) db.uploads.set(upload.mediaRef, upload)
            return Either.void
          }),
        ),
      get: (account, mediaRef) =>
        transact((db) => {
          const upload = db.uploads.get(mediaRef)
          const isKnown = upload?.account === account && upload.expiresAt > db.now
          return isKnown ? Either.right(upload) : Either.left(new MediaRefUnknown())
        }),
      markStored: (mediaRef, etag) => transact((db) => Either.right(markStored(db, mediaRef, etag))),
      markUsed: (mediaRef) => transact((db) => Either.right(markUsed(db, mediaRef))),
      sweep: (limit) => transact((db) => Either.right(sweep(db, limit))),
    })
  }),
)
