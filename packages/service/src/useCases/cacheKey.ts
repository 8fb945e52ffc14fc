import type { OptionsSnapshot } from "@earmark/core/jobs"
import { fingerprint } from "@earmark/core/requests"
import type { JobSource } from "../ports/records.js"
import type { EngineCapabilities } from "../ports/Speech.js"

/** Equal for jobs that would give the same transcript; null when the source has no identity. */
export const cacheKeyOf = (
  source: JobSource,
  { qualityExplicit: _, ...options }: OptionsSnapshot,
  engine: Pick<EngineCapabilities, "id" | "model">,
): string | null =>
  source.identity === null ? null : fingerprint("CACHE", source.identity, [options, engine.id, engine.model])

/** Whether other accounts may be given the result. */
export const isShared = (source: JobSource): boolean => source.facts?.isPublic === true
