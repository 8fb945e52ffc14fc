import { counted } from "@earmark/core/text"
import { type Batch, decodeRequest, type Episode, type Quote, TranscribeFeed } from "@earmark/core/wire"
import { Effect, Either, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import { consentTo } from "./consent.js"
import * as fields from "./fields.js"
import { clipped, firstFitting } from "./fitting.js"
import { quoted } from "./foreignText.js"
import { urlOf } from "./jobs.js"
import { presetTo, told } from "./jsonSchema.js"
import { episodeFields, episodeLine, episodesOf, shownEpisode } from "./listPodcastEpisodes.js"
import { idempotencyKey, optionFields } from "./options.js"
import { Ongoing, reread, type Told, type ToolCall, tool } from "./Tool.js"
import { taskOfBatch } from "./tasks.js"

const { optional } = fields

const PAGE = 50

const Input = Schema.Struct({
  feed: fields.feed,
  episodes: optional(
    told(
      Schema.Union(
        Schema.Literal("latest", "all"),
        Schema.Int.pipe(
          Schema.filter((count) => count >= 1 && count <= 5000, {
            description: "a whole number from 1 to 5000",
            jsonSchema: { type: "integer", minimum: 1, maximum: 5000 },
          }),
        ),
      ),
      '"latest", "all", or how many of the newest episodes.',
      "latest",
    ),
  ),
  dry_run: optional(presetTo(fields.flag("Only list and estimate."), false)),
  max_credits: optional(fields.number("Start nothing when the expected cost is above this.", { from: 0 })),
  ...optionFields,
  cursor: optional(fields.text("next_cursor of the list before (dry_run).")),
  idempotency_key: optional(idempotencyKey),
})

const Started = Schema.Struct({
  id: fields.transcriptionId,
  title: fields.text("Episode title."),
  guid: fields.text("Episode guid."),
  url: fields.text("REST address."),
  status: optional(fields.status("Status.")),
})

const Skipped = Schema.Struct({
  guid: fields.text("Guid."),
  title: optional(fields.text("Title.")),
  reason: fields.text("Why."),
})

const Listed = Schema.Struct({ ...episodeFields, audio_url: optional(fields.text("Address of the media.")) })

const Output = Schema.Struct({
  batch_id: optional(fields.text("Absent for dry_run.")),
  feed_title: optional(fields.text("Title of the podcast.")),
  total: fields.integer("Episodes chosen.", { from: 0 }),
  estimated_minutes: optional(fields.number("Sum of known lengths.", { from: 0 })),
  unknown_lengths: optional(
    fields.integer("Episodes whose length the feed does not say (not in the estimate).", { from: 0 }),
  ),
  estimated_credits: optional(fields.number("Expected charge.", { from: 0 })),
  transcriptions: optional(
    fields.list("Started jobs (first 50; the rest with list_transcriptions and batch_id).", Started),
  ),
  skipped: optional(fields.list("Episodes that got no job (first 50).", Skipped)),
  episodes: optional(fields.list("dry_run: the episodes (page of 50).", Listed)),
  next_cursor: optional(fields.text("dry_run: absent on the last page.")),
  next_step: fields.nextStep,
})

const decodeFeed = decodeRequest(TranscribeFeed)

const estimateOf = ({ minutes, credits, unknownLengths }: Quote) => ({
  ...(minutes !== null && { estimated_minutes: minutes }),
  ...(unknownLengths !== null && { unknown_lengths: unknownLengths }),
  ...(credits !== null && { estimated_credits: credits }),
})

const estimateLine = ({ minutes, credits, unknownLengths }: Quote): string =>
  [
    credits === null
      ? "The feed does not say how long its episodes are"
      : `About ${counted(credits, "credit")}`,
    ...(minutes === null ? [] : [counted(minutes, "minute")]),
    ...(credits === null || unknownLengths === null || unknownLengths === 0
      ? []
      : [`${counted(unknownLengths, "episode")} of unknown length`]),
  ].join(", ")

const planned = (
  quote: Quote,
  chosen: ReadonlyArray<Episode>,
  nextCursor: string | null,
): Told<typeof Output.Type> => {
  const total = quote.episodes ?? chosen.length
  const atMost = quote.credits === null ? "" : ", with max_credits at or above the estimate"
  const next = `To start it, repeat the call without dry_run${atMost}.`
  return {
    structured: {
      total,
      ...estimateOf(quote),
      episodes: chosen.map(shownEpisode),
      ...(nextCursor !== null && { next_cursor: nextCursor }),
      next_step: next,
    },
    lines: [
      `${counted(total, "episode")} would be transcribed. ${estimateLine(quote)}.`,
      ...chosen.map(episodeLine),
      ...(nextCursor === null ? [] : [`next_cursor: ${nextCursor}`]),
      next,
    ],
  }
}

const started = (batch: Batch, quote: Quote | null, baseUrl: string): Told<typeof Output.Type> => {
  const next = `Call list_transcriptions with batch_id ${batch.batchId} to follow the run, or cancel_transcription with batch_id to stop it.`
  const jobs = batch.transcriptions.map(({ id, title, guid }) => ({
    id,
    title: clipped(title, 200),
    guid: clipped(guid, 200),
    url: urlOf(baseUrl, id),
    status: "queued" as const,
  }))
  const skipped = batch.skipped.map(({ guid, title, reason }) => ({
    guid: clipped(guid, 200),
    ...(title !== null && { title: clipped(title, 200) }),
    reason,
  }))
  const shown = firstFitting(jobs, PAGE, 24_000)
  const left = firstFitting(skipped, PAGE, 8_000)
  return {
    structured: {
      batch_id: batch.batchId,
      total: batch.total,
      ...(quote !== null && estimateOf(quote)),
      transcriptions: shown,
      ...(left.length > 0 && { skipped: left }),
      next_step: next,
    },
    lines: [
      `${counted(batch.total, "transcription is", "transcriptions are")} started as ${batch.batchId}.${quote === null ? "" : ` ${estimateLine(quote)}.`}`,
      ...shown.map(({ id, title }) => `${id} | ${quoted(title)}`),
      ...left.map(({ guid, reason }) => `skipped (${reason}): ${quoted(guid)}`),
      next,
    ],
  }
}

/** The run that was started under a key before; null where the key is new: a run that may cost nothing starts nothing that costs. */
const startedBefore = (request: TranscribeFeed, idempotencyKey: string | undefined) =>
  Effect.gen(function* () {
    if (idempotencyKey === undefined) return null
    const backend = yield* TranscriptionBackend
    const body = { ...request, maxCredits: 0 }
    return yield* Effect.uninterruptible(
      backend.ask("podcasts.transcribe", { body }, { idempotencyKey }),
    ).pipe(
      Effect.catchIf(
        ({ code }) => code === "out_of_credits",
        () => Effect.succeed(null),
      ),
    )
  })

const answerOf = Effect.fnUntraced(function* (batch: Batch, quote: Quote | null, call: ToolCall) {
  const backend = yield* TranscriptionBackend
  if (!call.abilities.takesTasks) return started(batch, quote, backend.baseUrl)
  return new Ongoing(taskOfBatch(yield* backend.ask("podcasts.batch", { path: { id: batch.batchId } })))
})

export const transcribePodcastFeed = tool({
  name: "transcribe_podcast_feed",
  title: "Transcribe a podcast feed",
  description:
    "One job per episode of a feed (RSS or Apple Podcasts link); 1 credit per started minute of each. Use dry_run first: it lists episodes, lengths and cost, and starts nothing. More than one episode needs a past purchase; above 300 credits also max_credits. Stop a run with cancel_transcription.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  scope: "transcriptions:write",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* (
    { dry_run = false, max_credits, cursor, idempotency_key, ...body },
    call,
  ) {
    const backend = yield* TranscriptionBackend
    const request = yield* reread(decodeFeed(body))
    const quoted = yield* Effect.either(backend.quote({ type: "feed", request }))
    if (dry_run) {
      const quote = yield* quoted
      const most =
        request.episodes === "all"
          ? Number.POSITIVE_INFINITY
          : request.episodes === "latest"
            ? 1
            : request.episodes
      const page = yield* episodesOf(request.feed, Math.min(PAGE, most), cursor)
      const chosen = page.data.filter(({ index }) => index < most)
      const last = chosen.at(-1)?.index ?? most
      return planned(quote, chosen, last + 1 < most ? page.nextCursor : null)
    }
    const consent = Either.map(quoted, (quote) => consentTo(quote, max_credits, call))
    if (Either.isLeft(consent) || consent.right.type !== "given") {
      const before = yield* startedBefore(request, idempotency_key)
      if (before !== null) return yield* answerOf(before, null, call)
    }
    const agreed = yield* consent
    if (agreed.type === "asked") return agreed.question
    if (agreed.type === "refused") return yield* agreed.refused
    const once = { idempotencyKey: idempotency_key }
    const limited = { ...request, maxCredits: agreed.maxCredits }
    const batch = yield* Effect.uninterruptible(backend.ask("podcasts.transcribe", { body: limited }, once))
    return yield* answerOf(batch, yield* quoted, call)
  }),
})
