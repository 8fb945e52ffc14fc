import type { SourceRefused, WorkFailed } from "@earmark/service"
import { Context, type Effect } from "effect"

/** A text that a site offers for a clip. */
export interface SocialCaptions {
  readonly url: string
  readonly language: string
  readonly madeBy: "people" | "machine"
}

/** What a site says about one of its posts. */
export interface SocialFacts {
  readonly title: string | null
  readonly durationSeconds: number | null
  readonly language: string | null
  readonly captions: ReadonlyArray<SocialCaptions>
}

/** A program that reads posts of social sites. Only addresses of the sites known to core ever reach it. */
export class SocialVideo extends Context.Tag("@earmark/media/SocialVideo")<
  SocialVideo,
  {
    /** Null when the program is there, else why it is not used, in a sentence for the operator. */
    readonly missing: Effect.Effect<string | null>
    readonly describe: (post: string) => Effect.Effect<SocialFacts, SourceRefused>
    /** The sound of a post as one file in `folder`, which is the program's own. */
    readonly download: (
      post: string,
      folder: string,
      limits: { readonly maxBytes: number },
    ) => Effect.Effect<{ readonly path: string; readonly bytes: number }, WorkFailed>
  }
>() {}
