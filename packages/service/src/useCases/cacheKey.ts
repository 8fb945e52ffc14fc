import type { Enrichment, OptionsSnapshot } from "@earmark/core/jobs"
import { fingerprint } from "@earmark/core/requests"
import type { JobSource } from "../ports/records.js"
import type { EngineCapabilities, Translator, Writer } from "../ports/Speech.js"

interface Cacheable {
  readonly source: Pick<JobSource, "identity">
  readonly options: OptionsSnapshot
  readonly isTest?: boolean
}

/** Those whose work is in a result. */
export interface Makers {
  readonly engine: { readonly capabilities: Pick<EngineCapabilities, "id" | "model"> }
  readonly writer: Pick<Writer["Type"], "id">
  readonly translator: Pick<Translator["Type"], "id">
}

/** Equal where the same makers would make the same transcript and extras of the same thing. */
export const resultKeyOf = (
  identity: string,
  { qualityExplicit: _, ...options }: OptionsSnapshot,
  { engine, writer, translator }: Makers,
): string => {
  const { id, model } = engine.capabilities
  return fingerprint("CACHE", identity, [
    options,
    id,
    model,
    options.summary || options.chapters ? writer.id : null,
    options.translateTo === null ? null : translator.id,
  ])
}

/** Equal for jobs that would give the same transcript and extras; null when the source has no identity, and for a test. */
export const cacheKeyOf = ({ source, options, isTest = false }: Cacheable, makers: Makers): string | null =>
  source.identity === null || isTest ? null : resultKeyOf(source.identity, options, makers)

/** Whether other accounts may be given the result. */
export const isShared = (source: JobSource): boolean => source.facts?.isPublic === true

/** Whether everything asked for is there: a result without it is no answer to the next one who asks. */
export const isWhole = (enrichment: Enrichment): boolean =>
  Object.values(enrichment).every((extra) => extra?.status !== "failed")
