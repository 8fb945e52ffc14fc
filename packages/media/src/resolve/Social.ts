import { SOCIAL_CLIP_SECONDS } from "@earmark/core/links"
import type { CaptionOffer, ResolvedSource, SourceRefused } from "@earmark/service"
import { Effect, Either } from "effect"
import type { SocialFacts, SocialVideo } from "../obtain/SocialVideo.js"
import { clipped } from "./clips.js"
import { mediaSource } from "./episodeSources.js"
import type { makeLinks } from "./Links.js"
import { refusal } from "./refusals.js"
import type { makeVisits } from "./visits.js"

const nothingThere = (missing: string | null) =>
  refusal(
    "source_not_supported",
    "source_unresolvable",
    missing === null
      ? "This post has no media that can be read from outside; upload the recording instead."
      : "The page of this post gives away no media, and this server has no program that reads the site; upload the recording instead.",
  )

const offersOf = ({ captions }: SocialFacts): ReadonlyArray<CaptionOffer> =>
  captions.map(({ url, language, madeBy }) => ({ url: clipped(url), type: null, language, madeBy }))

/** Posts of social sites: by the program that reads them, else by what their pages give away. */
export const makeSocial = (
  program: SocialVideo["Type"],
  { visit }: ReturnType<typeof makeVisits>,
  { mediaOn }: ReturnType<typeof makeLinks>,
) => {
  const fromPage = Effect.fnUntraced(function* (post: string) {
    const visited = yield* visit({ url: post, authorization: null })
    if (visited.type === "media") return { title: visited.title, mediaUrl: visited.url }
    if (visited.type !== "page") return null
    const mediaUrl = yield* mediaOn(visited.page)
    return mediaUrl === null ? null : { title: visited.page.title, mediaUrl }
  })

  const sourceOf = (post: string, facts: SocialFacts): ResolvedSource =>
    mediaSource(post, {
      title: facts.title,
      shown: { kind: "social", url: post },
      durationSeconds:
        facts.durationSeconds === null
          ? null
          : Math.min(SOCIAL_CLIP_SECONDS, Math.max(1, Math.round(facts.durationSeconds))),
      language: facts.language,
      captions: offersOf(facts),
    })

  const resolve = Effect.fn("Social.resolve")(function* (
    post: string,
  ): Effect.fn.Return<ResolvedSource, SourceRefused> {
    const missing = yield* program.missing
    const described = missing === null ? yield* Effect.either(program.describe(post)) : null
    if (described !== null && Either.isRight(described)) return sourceOf(post, described.right)
    // A recording that is not there for the program is not there for anybody.
    if (described?.left.code === "source_not_supported") return yield* described.left
    const found = yield* Effect.either(fromPage(post))
    if (Either.isRight(found) && found.right !== null) {
      const { title, mediaUrl } = found.right
      return { ...mediaSource(post, { title, shown: { kind: "social", url: post } }), mediaUrl }
    }
    if (described !== null) return yield* described.left
    return yield* Either.isLeft(found) ? found.left : nothingThere(missing)
  })

  return { resolve }
}
