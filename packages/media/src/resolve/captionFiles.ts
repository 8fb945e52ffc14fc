import { type CaptionFile, readCaptionsInTurns } from "@earmark/core/captions"
import { stripCredentials } from "@earmark/core/links"
import { type CaptionOffer, type Fetcher, TimeLimit } from "@earmark/service"
import { Effect, Either } from "effect"
import { inTurns } from "../inTurns.js"
import { openBody, readWhole } from "./bodies.js"
import { clip, isClipped } from "./clips.js"
import { CAPTION_BYTES, REDIRECTS, type ResolverSettings } from "./ResolverOptions.js"

/** Caption files that publishers and sites offer. One that cannot be had or read is none: then the sound is processed. */
export const makeCaptionFiles = (fetcher: Fetcher["Type"], settings: ResolverSettings) => {
  const load = Effect.fnUntraced(function* (address: string) {
    const { url, authorization } = stripCredentials(address)
    const answer = yield* fetcher.fetch({
      url,
      ...(authorization !== null && { headers: { authorization } }),
      deadline: settings.captionsDeadline,
      maxBytes: CAPTION_BYTES,
      redirects: REDIRECTS,
    })
    if (answer.status !== 200) return null
    const body = yield* openBody(answer, { unpackAtMost: CAPTION_BYTES })
    return yield* readWhole(body, CAPTION_BYTES)
  })

  const read = Effect.fn("CaptionFiles.read")(function* ({ url }: CaptionOffer) {
    const bytes = yield* Effect.scoped(load(url)).pipe(
      TimeLimit.timeout(settings.captionsDeadline),
      Effect.catchAll((cause) =>
        Effect.as(Effect.logDebug("Captions could not be fetched", cause.message), null),
      ),
    )
    if (bytes === null || bytes.length === 0) return null
    const file = yield* inTurns(readCaptionsInTurns(bytes))
    if (Either.isLeft(file) || file.right.cues.length === 0) return null
    const whole: CaptionFile = file.right
    return isClipped(url) ? clip(whole) : whole
  })

  return { read }
}
