import type { OptionsSnapshot } from "@earmark/core/jobs"
import { fingerprint } from "@earmark/core/requests"
import type { JobSource } from "../ports/records.js"
import type { EngineCapabilities } from "../ports/Speech.js"

interface Cacheable {
  readonly source: JobSource
  readonly options: OptionsSnapshot
  readonly isTest?: boolean
}

/** Equal for jobs that would give the same transcript; null when the source has no identity, and for a test. */
export const cacheKeyOf = (
  { source, options: { qualityExplicit: _, ...options }, isTest = false }: Cacheable,
  engine: Pick<EngineCapabilities, "id" | "model">,
): string | null =>
  source.identity === null || isTest
    ? null
    : fingerprint("CACHE", source.identity, [options, engine.id, engine.model])

/** Whether other accounts may be given the result. */
export const isShared = (source: JobSource): boolean => source.facts?.isPublic === true
