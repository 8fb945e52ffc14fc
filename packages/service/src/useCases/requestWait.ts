/** What a request waits for the servers of others: one time for all of its steps, however many addresses it asks, one after the other. */
import { Duration, Effect, identity, type Option } from "effect"
import { SourceRefused } from "../ports/SourceResolver.js"
import { LengthUnknown } from "../ports/Speech.js"
import * as TimeLimit from "../TimeLimit.js"
import type { CaptionSearch } from "./captionBacked.js"
import type { ServiceConfig } from "./ServiceConfig.js"

type Wait = Pick<ServiceConfig["Type"], "requestWait">

const SHARE_OF_SOURCE = 0.5

/** Lets a time end what may not be interrupted by whoever asked. What goes on behind it ends too, and is not waited for. */
const endable = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  effect.pipe(Effect.disconnect, Effect.interruptible)

/** None when the source takes longer than its share: the job is made all the same, and its worker goes on looking. */
export const sourceInTime =
  ({ requestWait }: Wait) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
    endable(effect).pipe(TimeLimit.option(Duration.times(requestWait, SHARE_OF_SOURCE)))

const tooSlow = (address: string, { requestWait }: Wait) =>
  new SourceRefused({
    code: "unresolvable_link",
    failure: "download_timeout",
    detail: `${URL.canParse(address) ? new URL(address).hostname : "The server"} did not answer in full within ${Duration.toSeconds(requestWait)} seconds. Try again later, or download the feed and upload it.`,
    later: true,
  })

/** For what has no answer without the other side. */
export const inTime =
  (address: string, wait: Wait) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SourceRefused, R> =>
    endable(effect).pipe(
      TimeLimit.fail({ duration: wait.requestWait, onTimeout: () => tooSlow(address, wait) }),
    )

/** A look at the media in what is left of the time after the source. What takes longer is not known. */
export const lengthInTime =
  ({ requestWait }: Wait) =>
  <R>(look: Effect.Effect<number, LengthUnknown, R>): Effect.Effect<number, LengthUnknown, R> =>
    endable(look).pipe(
      TimeLimit.fail({
        duration: Duration.times(requestWait, 1 - SHARE_OF_SOURCE),
        onTimeout: () => new LengthUnknown({ reason: "The media could not be looked at in time." }),
      }),
    )

/** Captions in what is left of the time after the source. Those that come too slowly count as none: the job looks for them again. */
export const captionsInTime =
  ({ requestWait }: Wait) =>
  <E, R>(search: Effect.Effect<CaptionSearch, E, R>): Effect.Effect<CaptionSearch, E, R> =>
    endable(search).pipe(
      TimeLimit.to({
        duration: Duration.times(requestWait, 1 - SHARE_OF_SOURCE),
        onSuccess: identity,
        onTimeout: (): CaptionSearch => ({ transcript: null, speakerNames: {}, warnings: [] }),
      }),
    )
