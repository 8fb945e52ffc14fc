/** Which results stand for which requests. docs/explanation/who-gets-which-text.md has the reasons. */
import { ALIGNER_VERSION } from "@earmark/core/alignment"
import type { OptionsSnapshot } from "@earmark/core/jobs"
import { fetchedAddress, mediaIdentity } from "@earmark/core/links"
import { fingerprint } from "@earmark/core/requests"
import type { Finished, JobSource } from "../ports/records.js"
import type { Diarizer, EngineCapabilities, Translator, Writer } from "../ports/Speech.js"

export interface Cacheable {
  readonly source: Pick<JobSource, "identity" | "mediaUrl" | "link" | "facts">
  readonly options: OptionsSnapshot
  readonly isTest?: boolean
}

/** What is named as the engine where a text that the request brought was aligned. */
export const ALIGNER = "aligner"

/** Those whose work is in a result. */
export interface Makers {
  readonly engine: { readonly capabilities: Pick<EngineCapabilities, "id" | "model"> }
  readonly diarizer: Pick<Diarizer["Type"], "id">
  readonly writer: Pick<Writer["Type"], "id">
  readonly translator: Pick<Translator["Type"], "id">
}

/** Equal where the same makers would make the same transcript and extras of the same thing. */
const resultKeyOf = (
  identity: string,
  { qualityExplicit: _, deleteAfterSeconds: __, ...options }: OptionsSnapshot,
  { engine, diarizer, writer, translator }: Makers,
): string => {
  const { id, model } =
    options.transcriptText === undefined ? engine.capabilities : { id: ALIGNER, model: ALIGNER_VERSION }
  return fingerprint("CACHE", identity, [
    options,
    id,
    model,
    options.summary || options.chapters ? writer.id : null,
    options.translateTo === null ? null : translator.id,
    ...(options.diarize ? [diarizer.id] : []),
  ])
}

/** What a result may be known by. */
export interface ResultKeys {
  /** All of it. */
  readonly whole: string
  /** What was heard, whatever extras are made of it: the same as `whole` where there are none. */
  readonly heard: string
}

/** The same of media that were opened, with their size. */
export interface MediaKeys extends ResultKeys {
  readonly bytes?: number
  /** What was heard of these bytes, however they are cut: a plan has it without opening them. */
  readonly unopened: string
}

const NO_EXTRAS = { summary: false, chapters: false, translateTo: null }

export const resultKeysOf = (identity: string, options: OptionsSnapshot, makers: Makers): ResultKeys => {
  const whole = resultKeyOf(identity, options, makers)
  const hasExtras = options.summary || options.chapters || options.translateTo !== null
  return { whole, heard: hasExtras ? resultKeyOf(identity, { ...options, ...NO_EXTRAS }, makers) : whole }
}

const isPublic = (source: Pick<JobSource, "facts">): boolean => source.facts?.isPublic === true

/** Whether other accounts may be given the result: never where one account chose its words. */
export const isShared = (
  source: Pick<JobSource, "facts">,
  { transcriptText }: Pick<OptionsSnapshot, "transcriptText">,
): boolean => isPublic(source) && transcriptText === undefined

/** Who chooses the bytes: the address asked for them. A service that counts downloads is not the address behind it. */
const chosenAt = (identity: string, mediaUrl: string | null): string => {
  if (mediaUrl === null) return identity
  const fetched = fetchedAddress(mediaUrl)
  return fetched === mediaIdentity(mediaUrl) ? identity : fetched
}

/** Private media may answer each login with other bytes, so they are bound to the link with the login; public media are not. */
const soundOf = (identity: string, source: Cacheable["source"]): string => {
  const address = chosenAt(identity, source.mediaUrl)
  return JSON.stringify(isPublic(source) ? ["public", address] : ["private", source.link, address])
}

/** Equal for jobs that would hear the same; null when the source has no identity, and for a test. */
export const cacheKeysOf = (
  { source, options, isTest = false }: Cacheable,
  makers: Makers,
): ResultKeys | null =>
  source.identity === null || isTest ? null : resultKeysOf(soundOf(source.identity, source), options, makers)

/** Whether its words and speakers are all that can be had. */
export const isHeard = ({ warnings }: Pick<Finished, "warnings">): boolean =>
  warnings.every(({ code }) => code !== "diarization_failed")

/** Whether everything asked for is there: a result without it is no answer to the next one who asks. */
export const isWhole = (finished: Pick<Finished, "warnings" | "enrichment">): boolean =>
  isHeard(finished) && Object.values(finished.enrichment).every((extra) => extra?.status !== "failed")

/**
 * The keys under which it stands for other requests: an engine heard it, or the key holds the text that was aligned. Captions are only for
 * requests that name them. What was heard serves also those who want other extras, or none.
 */
export const keysOfResult = (finished: Finished, { whole, heard }: ResultKeys): ReadonlyArray<string> => {
  if (finished.engine === null || !isHeard(finished)) return []
  return isWhole(finished) ? [...new Set([whole, heard])] : [heard]
}

/** What is said of a result, but not of its translation. */
export const withoutTranslation = (warnings: Finished["warnings"]): Finished["warnings"] =>
  warnings.filter(({ code }) => code !== "translation_incomplete")

/** A result without its extras, for a request that wants none. */
const withoutExtras = <Result extends Finished>(finished: Result): Result => ({
  ...finished,
  content: { ...finished.content, summary: null, chapters: null, translation: null },
  enrichment: {},
  warnings: withoutTranslation(finished.warnings),
})

/** A result that was found under a key, as it stands for it: what was heard may have been kept with extras. */
export const resultFor = <Result extends Finished>(
  result: Result,
  key: string,
  { heard }: Pick<ResultKeys, "heard">,
): Result => (key === heard ? withoutExtras(result) : result)
