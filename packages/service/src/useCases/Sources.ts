import type { AccountId } from "@earmark/core/jobs"
import { type Cidr, classifyLink, fileTitle, parseUploadRef, stripCredentials } from "@earmark/core/links"
import { type CreateTranscription, isFeedType } from "@earmark/core/wire"
import { Effect, Either, Option } from "effect"
import type { FoundSource } from "../ports/records.js"
import {
  type ResolvedSource,
  SourceRefused,
  type SourceRequest,
  SourceResolver,
} from "../ports/SourceResolver.js"
import type { StoredUpload } from "../ports/Uploads.js"
import { sourceInTime } from "./requestWait.js"
import { ServiceConfig } from "./ServiceConfig.js"
import { identityOf, makeUploadedFiles } from "./uploadedFiles.js"

const requestOf = (request: CreateTranscription): SourceRequest => {
  if (request.blobUrl !== undefined) return { type: "blob", url: request.blobUrl }
  const episode =
    request.episodeGuid !== undefined
      ? { guid: request.episodeGuid }
      : request.episodeIndex !== undefined
        ? { index: request.episodeIndex }
        : null
  return { type: "link", link: request.url ?? "", episode }
}

const linkOf = (asked: SourceRequest): string => (asked.type === "blob" ? asked.url : asked.link)

/** A link to a file needs no resolving: whether the file is there is for the job to find out. */
const isFile = (asked: SourceRequest, allow: ReadonlyArray<Cidr>): boolean => {
  if (asked.type === "blob") return true
  const link = classifyLink(asked.link, { allow })
  return asked.episode === null && Either.isRight(link) && link.right.kind === "media"
}

const isAbsent = ({ failure }: SourceRefused): boolean =>
  failure === "source_not_found" || failure === "source_forbidden"

/** A resolved source as a job keeps it. */
export const keepSource = (resolved: ResolvedSource, link: string): FoundSource => ({
  source: {
    shown: resolved.shown,
    mediaUrl: resolved.mediaUrl,
    link,
    identity: resolved.identity,
    facts: {
      asked: null,
      isPublic: resolved.isPublic,
      language: resolved.language,
      captions: resolved.captions,
    },
  },
  title: resolved.title,
  durationSeconds: resolved.durationSeconds,
})

/** An episode of a feed as a job keeps it: with the link of the feed, as one that is asked for alone, so that either stands for the other. */
export const keepEpisode = (episode: ResolvedSource, feed: string): FoundSource =>
  keepSource(episode, parseUploadRef(feed) === undefined ? feed : episode.mediaUrl)

/** The other side did not answer, or has nothing: the worker asks again. */
const keepAsked = (asked: SourceRequest, nothingKnown?: string): FoundSource => {
  const link = linkOf(asked)
  // Shown to readers, so without a login.
  const { url } = stripCredentials(link)
  const guid =
    asked.type === "link" && asked.episode !== null && "guid" in asked.episode ? asked.episode : null
  return {
    source: {
      shown:
        guid === null
          ? { kind: asked.type === "blob" ? "blob" : "media", url }
          : { kind: "episode", feedUrl: url, episodeGuid: guid.guid },
      mediaUrl: null,
      link,
      identity: null,
      facts: { asked, isPublic: false, language: null, captions: [] },
    },
    title: null,
    durationSeconds: null,
    ...(nothingKnown !== undefined && { nothingKnown }),
  }
}

const noEpisode = () =>
  new SourceRefused({
    code: "episode_not_found",
    failure: "episode_not_found",
    detail:
      "The uploaded feed has no such episode with playable media; list its episodes and choose one of them.",
    later: false,
  })

const keepUpload = (upload: StoredUpload): FoundSource => ({
  source: {
    shown: { kind: "upload", mediaRef: upload.mediaRef },
    mediaUrl: null,
    link: null,
    identity: identityOf(upload),
  },
  title: upload.filename === null ? null : fileTitle(upload.filename),
  durationSeconds: null,
})

/** Finds what a request points at. Uploads are found for their own account only. */
export const makeSources = Effect.gen(function* () {
  const resolver = yield* SourceResolver
  const files = yield* makeUploadedFiles
  const config = yield* ServiceConfig

  /** A recording that was uploaded; of a feed that was, the episode asked for, else the newest. */
  const upload = Effect.fnUntraced(function* (
    account: AccountId,
    mediaRef: string,
    request: CreateTranscription,
  ) {
    const stored = yield* files.find(account, mediaRef)
    const { episodeGuid, episodeIndex } = request
    if (!isFeedType(stored.contentType) && episodeGuid === undefined && episodeIndex === undefined) {
      return keepUpload(stored)
    }
    const { episodes } = yield* files.readFeed(stored, Number.MAX_SAFE_INTEGER)
    const chosen =
      episodeGuid === undefined
        ? episodes[episodeIndex ?? 0]
        : episodes.find(({ guid }) => guid === episodeGuid)
    return chosen === undefined ? yield* noEpisode() : keepEpisode(chosen, mediaRef)
  })

  const find = Effect.fnUntraced(function* (account: AccountId, request: CreateTranscription) {
    if (request.mediaRef !== undefined) return yield* upload(account, request.mediaRef, request)
    const asked = requestOf(request)
    const waited = yield* resolver.resolve(asked).pipe(Effect.either, sourceInTime(config))
    if (Option.isNone(waited)) return keepAsked(asked)
    const resolved = waited.value
    if (Either.isRight(resolved)) return keepSource(resolved.right, linkOf(asked))
    if (resolved.left.later || (isAbsent(resolved.left) && isFile(asked, config.egressAllow)))
      return keepAsked(asked, `The source cannot be read: ${resolved.left.detail.replace(/\.$/, "")}.`)
    return yield* resolved.left
  })

  return { find }
})
