import type { Enrichment, OptionsSnapshot } from "@earmark/core/jobs"
import { fingerprint } from "@earmark/core/requests"
import type { JobSource } from "../ports/records.js"
import type { EngineCapabilities, Translator, Writer } from "../ports/Speech.js"

interface Cacheable {
  readonly source: JobSource
  readonly options: OptionsSnapshot
  readonly isTest?: boolean
}

/** Those whose work is in a result. */
export interface Makers {
  readonly engine: { readonly capabilities: Pick<EngineCapabilities, "id" | "model"> }
  readonly writer: Pick<Writer["Type"], "id">
  readonly translator: Pick<Translator["Type"], "id">
}

/** Equal for jobs that would give the same transcript and extras; null when the source has no identity, and for a test. */
export const cacheKeyOf = (
  { source, options: { qualityExplicit: _, ...options }, isTest = false }: Cacheable,
  { engine, writer, translator }: Makers,
): string | null => {
  if (source.identity === null || isTest) return null
  const { id, model } = engine.capabilities
  return fingerprint("CACHE", source.identity, [
    options,
    id,
    model,
    options.summary || options.chapters ? writer.id : null,
    options.translateTo === null ? null : translator.id,
  ])
}

/** Whether other accounts may be given the result. */
export const isShared = (source: JobSource): boolean => source.facts?.isPublic === true

/** Whether everything asked for is there: a result without it is no answer to the next one who asks. */
export const isWhole = (enrichment: Enrichment): boolean =>
  Object.values(enrichment).every((extra) => extra?.status !== "failed")
