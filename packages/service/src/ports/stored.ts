/** What every store makes of what it is given, so that none has a rule of its own. */
import {
  type AccountId,
  advance,
  type BatchId,
  closedCircuit,
  type Enrichment,
  type ExtraState,
  type JobEvent,
  queuedAt,
  type TransitionRefused,
  warningOf,
} from "@earmark/core/jobs"
import { MOST_NAMED_SPEAKERS, type SpeakerNames } from "@earmark/core/transcripts"
import type { PatchTranscription } from "@earmark/core/wire"
import { Either } from "effect"
import type { ExtraName, ExtraOutcome } from "./ExtraStore.js"
import type { NewJob } from "./JobStore.js"
import type { Content, Finished, FoundSource, StoredJob } from "./records.js"
import {
  type EndpointChange,
  type SealedSecret,
  SecretNotRotated,
  type SecretRotation,
  type StoredEndpoint,
} from "./WebhookStore.js"

/** A job as it is when nothing has happened to it yet. */
export const freshJob = (
  { hold: _, ...job }: NewJob,
  made: { readonly batch: BatchId | null; readonly creditsLacking?: boolean },
): StoredJob => ({
  ...job,
  state: queuedAt(job.createdAt, { creditsLacking: made.creditsLacking === true }),
  isTest: job.isTest === true,
  batch: made.batch,
  origin: null,
  engine: null,
  wordTiming: null,
  language: job.options.language,
  detectedLanguage: null,
  wordCount: null,
  billedMinutes: null,
  enrichment: {},
  integrity: null,
  warnings: [],
  speakerNames: {},
  attempts: 0,
  revision: 0,
  publishedAt: null,
  version: 1,
})

/** A job after a change that readers can see. */
export const changedJob = (job: StoredJob, changed: Partial<StoredJob>): StoredJob => ({
  ...job,
  ...changed,
  version: job.version + 1,
})

/** When the text of a job is deleted: so long after its end as was asked for. */
export const expiryOf = ({
  options: { deleteAfterSeconds },
  expiresAt,
  state,
}: Pick<StoredJob, "options" | "expiresAt" | "state">): number | null => {
  // Jobs that an older version made have a time from their beginning.
  if (deleteAfterSeconds === undefined) return expiresAt
  return state.status === "queued" ? null : state.completedAt + deleteAfterSeconds * 1000
}

/** A job after an event, by the rules of core; the same object when nothing changes. */
export const movedJob = (
  job: StoredJob,
  event: JobEvent,
  changed: Partial<StoredJob> = {},
): Either.Either<StoredJob, TransitionRefused> =>
  Either.map(advance(job.state, event), (state) =>
    state === job.state && Object.keys(changed).length === 0
      ? job
      : changedJob(job, { ...changed, state, expiresAt: expiryOf({ ...job, state }) }),
  )

/** What changes of a job when its source was found out late. */
export const describedJob = (
  job: StoredJob,
  { source, title, durationSeconds }: FoundSource,
): Pick<StoredJob, "source" | "title" | "durationSeconds"> => ({
  source: job.source.trace === undefined ? source : { ...source, trace: job.source.trace },
  title: job.title ?? title,
  durationSeconds: job.durationSeconds ?? durationSeconds,
})

/** The names of speakers after a change: null takes one away, or all of them. */
export const namesAfter = (names: SpeakerNames, changes: PatchTranscription["speakers"]): SpeakerNames => {
  if (changes === undefined) return names
  if (changes === null) return {}
  const merged = Object.entries({ ...names, ...changes })
  return Object.fromEntries(merged.filter((pair): pair is [string, string] => pair[1] !== null))
}

/** What the speakers are called when a job is done: somebody may have named them before, and the source names as many more as have room. */
export const namesAtTheEnd = (
  { speakerNames: given }: Pick<StoredJob, "speakerNames">,
  { speakerNames: told = {} }: Pick<Finished, "speakerNames">,
): SpeakerNames => {
  const room = Math.max(0, MOST_NAMED_SPEAKERS - Object.keys(given).length)
  const more = Object.entries(told).filter(([label]) => !Object.hasOwn(given, label))
  return { ...Object.fromEntries(more.slice(0, room)), ...given }
}

/** What a result says to other requests: nothing about the captions of its own. */
export const reusedWarnings = ({ warnings }: Pick<Finished, "warnings">): Finished["warnings"] =>
  warnings.filter(({ code }) => code !== "captions_incomplete")

/** How an extra fares that was asked for after its job was done. */
const laterState = ({ enrichment }: Pick<StoredJob, "enrichment">, { kind, language }: ExtraName) =>
  kind === "translation" ? enrichment.translations?.[language] : enrichment[kind]

const withState = (enrichment: Enrichment, { kind, language }: ExtraName, state: ExtraState): Enrichment =>
  kind === "translation"
    ? { ...enrichment, translations: { ...enrichment.translations, [language]: state } }
    : { ...enrichment, [kind]: state }

/** What changes of a job when extras are asked for; nothing where all of them are being made. */
export const askedExtras = (
  job: StoredJob,
  names: ReadonlyArray<ExtraName>,
): Partial<Pick<StoredJob, "enrichment">> => {
  const wanted = names.filter((name) => laterState(job, name)?.status !== "pending")
  if (wanted.length === 0) return {}
  const state: ExtraState = { status: "pending", revision: job.revision }
  return {
    enrichment: wanted.reduce((enrichment, name) => withState(enrichment, name, state), job.enrichment),
  }
}

/** What changes of a job when an extra was made, or could not be. */
export const endedExtra = (
  job: Pick<StoredJob, "enrichment" | "warnings">,
  name: ExtraName,
  outcome: ExtraOutcome,
): Partial<Pick<StoredJob, "enrichment" | "warnings">> => {
  if (outcome.status === "failed") {
    const { error, revision } = outcome
    return { enrichment: withState(job.enrichment, name, { status: "failed", error, revision }) }
  }
  const { made, isIncomplete } = outcome
  const isTold = job.warnings.some(({ code }) => code === "translation_incomplete")
  return {
    enrichment: withState(job.enrichment, name, { status: "done", revision: made.revision }),
    ...(isIncomplete && !isTold && { warnings: [...job.warnings, warningOf("translation_incomplete")] }),
  }
}

/** What is said of the extras that are part of a content. */
const enrichmentOf = ({ summary, chapters, translation }: Content): Enrichment => ({
  ...(summary !== null && { summary: { status: "done" } }),
  ...(chapters !== null && { chapters: { status: "done" } }),
  ...(translation !== null && { translation: { status: "done" } }),
})

/** A done job as the result of another one: free, and from the cache. Its title is for its own account: somebody may have given it. */
export const resultFromCache = (
  job: StoredJob,
  content: Content,
  account: AccountId,
): Finished & { readonly title: string | null } => ({
  content,
  origin: "cache",
  engine: job.engine,
  wordTiming: job.wordTiming,
  detectedLanguage: job.detectedLanguage,
  durationSeconds: job.durationSeconds ?? 0,
  wordCount: job.wordCount ?? 0,
  credits: 0,
  billedMinutes: 0,
  minutes: 0,
  // What was asked for later is made from a text that may be corrected: it is for its own job alone.
  enrichment: enrichmentOf(content),
  integrity: job.integrity,
  warnings: reusedWarnings(job).filter(
    ({ code }) => code !== "translation_incomplete" || content.translation !== null,
  ),
  title: job.account === account ? job.title : null,
})

const OLD_SECRETS_AT_MOST = 2

/** The secrets of an endpoint after a rotation, by the clock of the store. */
export const rotatedSecrets = (
  secrets: ReadonlyArray<SealedSecret>,
  { from, to, graceSeconds }: SecretRotation,
  now: number,
): Either.Either<ReadonlyArray<SealedSecret>, SecretNotRotated> => {
  if (secrets[0]?.sealed !== from) {
    return Either.left(new SecretNotRotated({ reason: "rotated_meanwhile" }))
  }
  const end = now + graceSeconds * 1000
  const old = secrets
    .map(({ sealed, endsAt }) => ({ sealed, endsAt: Math.min(endsAt ?? end, end) }))
    .filter(({ endsAt }) => endsAt > now)
  return old.length > OLD_SECRETS_AT_MOST
    ? Either.left(new SecretNotRotated({ reason: "too_many_good" }))
    : Either.right([{ sealed: to, endsAt: null }, ...old])
}

/** An endpoint after a change. One that is enabled again starts with a closed circuit. */
export const changedEndpoint = (
  endpoint: StoredEndpoint,
  { endsOldSecrets, ...change }: EndpointChange,
): StoredEndpoint => ({
  ...endpoint,
  ...(change.enabled === true && !endpoint.enabled && { circuit: closedCircuit, disabledReason: null }),
  ...(endsOldSecrets === true && { secrets: endpoint.secrets.slice(0, 1) }),
  ...change,
})
