import type { OptionsSnapshot } from "@earmark/core/jobs"
import { fingerprint } from "@earmark/core/requests"
import type { Finished, JobSource } from "../ports/records.js"
import type { Diarizer, EngineCapabilities, Translator, Writer } from "../ports/Speech.js"

export interface Cacheable {
  readonly source: Pick<JobSource, "identity">
  readonly options: OptionsSnapshot
  readonly isTest?: boolean
}

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
  { qualityExplicit: _, ...options }: OptionsSnapshot,
  { engine, diarizer, writer, translator }: Makers,
): string => {
  const { id, model } = engine.capabilities
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

const NO_EXTRAS = { summary: false, chapters: false, translateTo: null }

export const resultKeysOf = (identity: string, options: OptionsSnapshot, makers: Makers): ResultKeys => ({
  whole: resultKeyOf(identity, options, makers),
  heard: resultKeyOf(identity, { ...options, ...NO_EXTRAS }, makers),
})

/** Equal for jobs that would give the same; null when the source has no identity, and for a test. */
export const cacheKeysOf = (
  { source, options, isTest = false }: Cacheable,
  makers: Makers,
): ResultKeys | null =>
  source.identity === null || isTest ? null : resultKeysOf(source.identity, options, makers)

/** Whether other accounts may be given the result. */
export const isShared = (source: JobSource): boolean => source.facts?.isPublic === true

/** Whether its words and speakers are all that can be had. */
export const isHeard = ({ warnings }: Pick<Finished, "warnings">): boolean =>
  warnings.every(({ code }) => code !== "diarization_failed")

/** Whether everything asked for is there: a result without it is no answer to the next one who asks. */
export const isWhole = (finished: Pick<Finished, "warnings" | "enrichment">): boolean =>
  isHeard(finished) && Object.values(finished.enrichment).every((extra) => extra?.status !== "failed")
