/** What use cases refuse beside what stores and resolvers refuse. Hosts translate; they know no HTTP. */

import { JobStatus } from "@earmark/core/jobs"
import { counted } from "@earmark/core/text"
import { Feature, ProblemCode, Scope } from "@earmark/core/wire"
import { Schema } from "effect"
import type { GuardRefused } from "../ports/JobStore.js"

/** A well-formed request that cannot be carried out. The code is the one on the wire. */
export class RequestRefused extends Schema.TaggedError<RequestRefused>()("RequestRefused", {
  code: ProblemCode.pipe(
    Schema.pickLiteral(
      "media_too_long",
      "language_unsupported",
      "batch_too_large",
      "episode_not_found",
      "too_large",
      "blocked_address",
      "invalid_request",
    ),
  ),
  detail: Schema.String,
  /** The part of the body that cannot be. */
  pointer: Schema.optional(Schema.TemplateLiteral("#/", Schema.String)),
}) {
  override get message() {
    return this.detail
  }
}

/** The transcript is not published, or not any more. */
export class NotPublished extends Schema.TaggedError<NotPublished>()("NotPublished", {}) {
  override get message() {
    return "This address has no published transcript."
  }
}

/** There is no sound of the transcription to play, or no waveform of it. */
export class RecordingNotKept extends Schema.TaggedError<RecordingNotKept>()("RecordingNotKept", {
  part: Schema.Literal("sound", "waveform"),
}) {
  override get message() {
    return this.part === "sound"
      ? "The recording was not kept."
      : "This transcription has no waveform. Only a job that transcribes the sound itself makes one."
  }
}

/** More bytes than the plan of the account allows. */
export const uploadTooLarge = (most: number): RequestRefused =>
  new RequestRefused({ code: "too_large", detail: `An upload has at most ${most} bytes` })

/** Not every part of an upload has arrived. */
export class PartsMissing extends Schema.TaggedError<PartsMissing>()("PartsMissing", {
  missing: Schema.Array(Schema.Int),
  parts: Schema.Int,
}) {
  override get message() {
    const [first] = this.missing
    const others = this.missing.length - 1
    const what =
      others > 0
        ? `Part ${first} and ${others} more of ${this.parts} have`
        : `Part ${first} of ${this.parts} has`
    return `${what} not arrived. List the parts, and send what is missing`
  }
}

/** The account has to buy credits once before it may use the feature. */
export class FeatureLocked extends Schema.TaggedError<FeatureLocked>()("FeatureLocked", {
  feature: Feature,
}) {
  override get message() {
    return `${this.feature} is unlocked by any one-time purchase: POST /api/v1/credits/purchases`
  }
}

/** The batch would cost more than the request allows. Nothing was created. */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {
  budget: Schema.Int,
  needed: Schema.Int,
  balance: Schema.Int,
}) {
  override get message() {
    return `The batch needs ${counted(this.needed, "credit")}, and max_credits allows ${this.budget}. Raise max_credits to ${this.needed}, or take fewer episodes`
  }
}

/** The request was done, and the answer to it cannot be read any more: it was sealed with an earlier secrets key. */
export class IdempotencyAnswerLost extends Schema.TaggedError<IdempotencyAnswerLost>()(
  "IdempotencyAnswerLost",
  {},
) {
  override get message() {
    return "The first request with this Idempotency-Key was done, and its answer cannot be read any more, since the secrets key of the server was changed. Look in the list for what it made, and use another key for a new request."
  }
}

/** What keeps a repeat from being answered. */
export type RepeatRefused = GuardRefused | IdempotencyAnswerLost

/** Nobody could be charged, so nothing would ever be bought. */
export class AutoReloadRefused extends Schema.TaggedError<AutoReloadRefused>()("AutoReloadRefused", {
  reason: Schema.Literal("no_provider", "no_payer"),
}) {
  override get message() {
    return {
      no_provider:
        "Auto-reload needs a payment provider, and this server has none. Ask its operator for credits.",
      no_payer: "Buy credits once before you turn auto-reload on: what pays for that purchase is charged.",
    }[this.reason]
  }
}

/** Nothing costs credits, so there is nothing to buy. */
export class BillingOff extends Schema.TaggedError<BillingOff>()("BillingOff", {}) {
  override get message() {
    return "This server has billing turned off: transcriptions cost no credits, and there is nothing to buy."
  }
}

/** A grant with another amount has the reference already. Nothing was added. */
export class ReferenceTaken extends Schema.TaggedError<ReferenceTaken>()("ReferenceTaken", {
  reference: Schema.String,
  counted: Schema.Int,
  given: Schema.Int,
}) {
  override get message() {
    return `${this.reference} was counted before with ${counted(this.counted, "credit")}, not ${this.given}: nothing was added`
  }
}

/** Who takes the money says whether it came. */
export class PurchaseOfProvider extends Schema.TaggedError<PurchaseOfProvider>()("PurchaseOfProvider", {
  id: Schema.String,
  provider: Schema.String,
}) {
  override get message() {
    return `The purchase ${this.id} was begun with ${this.provider}, which says itself whether it was paid; only a purchase without a payment provider is confirmed or canceled here. Take back what was paid at ${this.provider}`
  }
}

/** A purchase that was paid cannot be canceled, and a canceled one cannot be paid. */
export class PurchaseDecided extends Schema.TaggedError<PurchaseDecided>()("PurchaseDecided", {
  id: Schema.String,
  reason: Schema.Literal("paid", "canceled"),
}) {
  override get message() {
    return {
      paid: `The purchase ${this.id} was paid, so it cannot be canceled`,
      canceled: `The purchase ${this.id} was canceled, so it cannot be confirmed. Begin another one`,
    }[this.reason]
  }
}

/** Only a transcription that is done has a transcript. */
export class TranscriptNotReady extends Schema.TaggedError<TranscriptNotReady>()("TranscriptNotReady", {
  status: JobStatus,
}) {
  override get message() {
    return `The transcription is ${this.status}; only one that is done has a transcript`
  }
}

/** A key cannot make one that may do more than itself. */
export class ScopeNotHeld extends Schema.TaggedError<ScopeNotHeld>()("ScopeNotHeld", {
  scopes: Schema.Array(Scope),
}) {
  override get message() {
    return `This key has no scope ${this.scopes.join(", ")}, so it cannot make a key that has`
  }
}

/** Missing, malformed, unknown, revoked and expired keys are all the same to whoever brings them. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {}) {
  override get message() {
    return "A valid API key is needed"
  }
}
