import { MOST_NAMED_SPEAKERS, type SpeakerNames } from "@earmark/core/transcripts"
import type { PatchTranscription } from "@earmark/core/wire"
import type { Content } from "../ports/records.js"
import { RequestRefused } from "./refusals.js"

const MOST_TOLD = 5

const namesOf = (labels: ReadonlyArray<string>): string => {
  if (labels.length === 0) return "it tells no speakers apart"
  const more = labels.length - MOST_TOLD
  return `it has ${labels.slice(0, MOST_TOLD).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

/** Why speakers cannot be called so: a label that is given a name is one of the transcript. Null when they can. */
export const speakerMissing = (
  { segments }: Pick<Content, "segments">,
  names: NonNullable<PatchTranscription["speakers"]>,
): RequestRefused | null => {
  const labels = [...new Set(segments.flatMap(({ speaker }) => (speaker === null ? [] : [speaker])))]
  const missing = Object.keys(names).find((label) => names[label] !== null && !labels.includes(label))
  if (missing === undefined) return null
  return new RequestRefused({
    code: "invalid_request",
    detail: `The transcript has no ${missing}; ${namesOf(labels)}`,
    pointer: `#/speakers/${missing}`,
  })
}

/** Why no more speakers can have names. Null when there is room, also for whoever takes names away. */
export const namesTooMany = (
  known: SpeakerNames,
  names: NonNullable<PatchTranscription["speakers"]>,
): RequestRefused | null => {
  const after = Object.values({ ...known, ...names }).filter((name) => name !== null).length
  if (after <= Math.max(MOST_NAMED_SPEAKERS, Object.keys(known).length)) return null
  return new RequestRefused({
    code: "invalid_request",
    detail: `At most ${MOST_NAMED_SPEAKERS} speakers of a transcript can have names, and ${after} would`,
    pointer: "#/speakers",
  })
}
