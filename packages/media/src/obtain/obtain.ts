import { createWriteStream } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { classifyLink, SOCIAL_CLIP_SECONDS, stripCredentials } from "@earmark/core/links"
import { Fetcher, type JobSource, ObjectStore, WorkFailed } from "@earmark/service"
import { Effect, Either, type Scope, Stream } from "effect"
import { workFailedBy } from "./failures.js"
import { SocialVideo } from "./SocialVideo.js"
import { machineFailed, scratchFolder } from "./scratch.js"

/** The bytes of a source in a file of their own. */
export interface Obtained {
  readonly path: string
  readonly bytes: number
  /** Only so many milliseconds of it count; null: all of them. */
  readonly longest: number | null
}

const CLIP = SOCIAL_CLIP_SECONDS * 1000
/** Tracking prefixes nest, and each costs a redirect. */
export const REDIRECTS = 8
/** A minute, and a second more for each 64 KiB: slower servers have lost. */
const deadlineFor = (bytes: number): number => 60_000 + Math.ceil(bytes / 65_536) * 1000

const tooLarge = () => new WorkFailed({ code: "media_too_large", isTransient: false })

const uploadTo = Effect.fnUntraced(function* (mediaRef: string, path: string, maxBytes: number) {
  const store = yield* ObjectStore
  const head = yield* store.head(mediaRef).pipe(Effect.mapError(machineFailed))
  if (head === null) return yield* new WorkFailed({ code: "upload_missing", isTransient: false })
  if (head.bytes > maxBytes) return yield* tooLarge()
  const bytes = store.read(mediaRef).pipe(
    Stream.mapError((error) =>
      error._tag === "ObjectMissing"
        ? new WorkFailed({ code: "upload_missing", isTransient: false, cause: error })
        : machineFailed(error),
    ),
    Stream.toAsyncIterable,
  )
  yield* Effect.tryPromise({
    try: (signal) => pipeline(Readable.from(bytes), createWriteStream(path, { mode: 0o600 }), { signal }),
    catch: (cause) => (cause instanceof WorkFailed ? cause : machineFailed(cause)),
  })
  const written = yield* Effect.tryPromise({ try: () => stat(path), catch: machineFailed })
  return { path, bytes: written.size }
})

/** A login goes where it was given for, and nowhere else. */
export const loginFor = (address: string, link: string | null): string | null => {
  const own = stripCredentials(address).authorization
  if (own !== null || link === null || !URL.canParse(link) || !URL.canParse(address)) return own
  return new URL(link).origin === new URL(address).origin ? stripCredentials(link).authorization : null
}

const addressTo = Effect.fnUntraced(function* (
  address: string,
  { link, shown }: JobSource,
  path: string,
  maxBytes: number,
) {
  const fetcher = yield* Fetcher
  const authorization = loginFor(address, link)
  const { bytes } = yield* fetcher
    .download(
      {
        url: stripCredentials(address).url,
        ...(authorization !== null && { headers: { authorization } }),
        deadline: deadlineFor(maxBytes),
        maxBytes,
        redirects: REDIRECTS,
      },
      path,
    )
    .pipe(Effect.mapError(workFailedBy(shown)))
  return { path, bytes }
})

export const isPost = (address: string): boolean =>
  Either.match(classifyLink(address), { onLeft: () => false, onRight: ({ kind }) => kind === "social" })

/**
 * The media of a job in a file that lives as long as the scope: downloaded through the guarded door, read from the uploads, or taken
 * from a social site. What a file holds is for the decoder to find out.
 */
export const obtain: (
  source: JobSource,
  limits: { readonly maxBytes: number },
) => Effect.Effect<Obtained, WorkFailed, Fetcher | ObjectStore | SocialVideo | Scope.Scope> = Effect.fn(
  "Media.obtain",
)(function* (source: JobSource, { maxBytes }: { readonly maxBytes: number }) {
  const folder = yield* scratchFolder
  const path = join(folder, "media")
  const { mediaRef, kind } = source.shown
  if (mediaRef !== undefined) return { ...(yield* uploadTo(mediaRef, path, maxBytes)), longest: null }
  const address = source.mediaUrl
  if (address === null) return yield* new WorkFailed({ code: "source_unresolvable", isTransient: false })
  const isClip = kind === "social" || isPost(address)
  const file = isPost(address)
    ? yield* (yield* SocialVideo).download(address, folder, { maxBytes })
    : yield* addressTo(address, source, path, maxBytes)
  return { ...file, longest: isClip ? CLIP : null }
})
