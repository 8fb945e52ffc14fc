import type { CaptionFile } from "@earmark/core/captions"
import { FailureCode, type Source } from "@earmark/core/jobs"
import { ProblemCode } from "@earmark/core/wire"
import { Context, type Effect, Schema } from "effect"

/** What a client pointed at. */
export type SourceRequest =
  | {
      readonly type: "link"
      readonly link: string
      readonly episode: { readonly guid: string } | { readonly index: number } | null
    }
  | { readonly type: "blob"; readonly url: string }

/** A text that the publisher made for the media. */
export interface CaptionOffer {
  readonly url: string
  /** The content type, as the publisher states it. */
  readonly type?: string | null
  readonly language: string | null
  /** Automatic ones never make a job caption-backed unless the operator allows it. */
  readonly madeBy: "people" | "machine"
}

export interface ResolvedSource {
  readonly shown: Source
  readonly title: string | null
  readonly mediaUrl: string
  /** The same media has the same identity, whatever its address. */
  readonly identity: string
  /** Whether anybody could fetch it: only such results are shared between accounts. */
  readonly isPublic: boolean
  readonly durationSeconds: number | null
  readonly language: string | null
  readonly captions: ReadonlyArray<CaptionOffer>
}

export interface ResolvedFeed {
  readonly feedUrl: string
  readonly title: string | null
  /** Episodes in the feed, listed or not. */
  readonly total: number
  /** Newest first, each with the guid the publisher gave. */
  readonly episodes: ReadonlyArray<
    ResolvedSource & {
      readonly guid: string
      readonly index: number
      readonly publishedAt: number | null
      readonly link: string | null
      readonly image: string | null
    }
  >
}

/** A source that cannot be used. `later`: nothing is wrong with the request, the other side did not answer; the worker tries again. */
export class SourceRefused extends Schema.TaggedError<SourceRefused>()("SourceRefused", {
  code: ProblemCode,
  failure: FailureCode,
  detail: Schema.String,
  later: Schema.Boolean,
}) {
  override get message() {
    return this.detail
  }
}

/** Turns what a client pointed at into media. Everything it fetches goes through the guarded door. */
export class SourceResolver extends Context.Tag("@earmark/service/SourceResolver")<
  SourceResolver,
  {
    readonly resolve: (request: SourceRequest) => Effect.Effect<ResolvedSource, SourceRefused>
    /** The newest `limit` episodes of a feed or Apple link; all pages of it when more are wanted than the first page has. */
    readonly feed: (link: string, limit: number) => Effect.Effect<ResolvedFeed, SourceRefused>
    /** The same of a feed that is at hand; it says itself where it lives, else `feedUrl` is empty. */
    readonly readFeed: (document: Uint8Array, limit: number) => Effect.Effect<ResolvedFeed, SourceRefused>
    /** Null when the file cannot be had or read: then the sound is processed. */
    readonly captions: (offer: CaptionOffer) => Effect.Effect<CaptionFile | null>
  }
>() {}
