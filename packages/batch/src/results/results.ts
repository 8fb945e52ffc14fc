/** How one source ended. */
import type { Origin } from "@earmark/core/jobs"
import type { Target } from "../state/made.js"
import type { Facts, Identity } from "../work/Workplace.js"
import { identityOnWire } from "./identity.js"
import { printableJson } from "./printable.js"

export interface Done {
  readonly status: "done"
  readonly source: string
  readonly identity: Identity
  readonly facts: Facts
  /** How much of it lies between the beginning and the end that were asked for. */
  readonly partSeconds: number
  readonly outputs: ReadonlyArray<Target>
  /** How long it took, in seconds. */
  readonly tookSeconds: number
}

export interface Skipped {
  readonly status: "skipped"
  readonly source: string
  readonly identity: Identity
  readonly outputs: ReadonlyArray<Target>
  readonly reason: string
  /** What is there is no result of this source as it was asked for, and is not Earmark's to write over. */
  readonly isTaken: boolean
  /** It is the result of this source as it was asked for, and somebody has changed it since. */
  readonly isChanged: boolean
}

export interface Failed {
  readonly status: "failed"
  readonly source: string
  readonly identity: Identity
  readonly code: string
  readonly message: string
  /** It failed in an earlier run, and was not tried again. */
  readonly remembered: boolean
}

/** Not begun, since a cap would be passed. */
export interface Held {
  readonly status: "held"
  readonly source: string
  readonly identity: Identity
  readonly reason: string
}

/** Left alone, since another run is making its results. */
export interface UnderWay {
  readonly status: "under_way"
  readonly source: string
  readonly identity: Identity
  /** The process of that run. */
  readonly pid: number
}

/** What a dry run would do. */
export interface Planned {
  readonly status: "planned"
  readonly source: string
  readonly identity: Identity
  readonly outputs: ReadonlyArray<Target>
  /** What would be printed instead; null when it goes to files. */
  readonly printed: string | null
  /** Where its words would come from: the publisher may have a text for it, or this machine has heard it before. */
  readonly origin: Origin
  /** Null when nobody knows how long it is. */
  readonly seconds: number | null
  /** How much of that is asked for. */
  readonly partSeconds: number | null
  readonly minutes: number | null
  readonly credits: number | null
  /** Should the text of the publisher not be had, or not do. */
  readonly creditsAtMost: number | null
  /** Whether credits are charged for it at all: not by this machine, nor by a server without billing. */
  readonly takesCredits: boolean
}

export type Result = Done | Skipped | Failed | Held | UnderWay | Planned

/** How many ended how; of those skipped, how many found their place taken, and how many results were changed. */
export type Counts = Readonly<Record<Result["status"] | "taken" | "changed", number>>

export const countOf = (results: ReadonlyArray<Result>): Counts => {
  const counts = { done: 0, skipped: 0, failed: 0, held: 0, under_way: 0, planned: 0, taken: 0, changed: 0 }
  for (const result of results) {
    counts[result.status] += 1
    if (isTaken(result)) counts.taken += 1
    else if (result.status === "skipped" && result.isChanged) counts.changed += 1
  }
  return counts
}

/** Whether a source was passed over without having a result. */
export const isTaken = (result: Result): boolean => result.status === "skipped" && result.isTaken

/** Why a source was left alone. */
export const underWayText = ({ pid }: UnderWay): string => `being transcribed by another run (pid ${pid})`

/** How many seconds of media a second of work heard; null when that is not known. */
export const speedOf = ({ facts: { heardSeconds }, tookSeconds }: Done): number | null =>
  tookSeconds <= 0 || heardSeconds <= 0 ? null : Number((heardSeconds / tookSeconds).toFixed(1))

const outputsOf = (outputs: ReadonlyArray<Target>) => outputs.map(({ format, path }) => ({ format, path }))

const fieldsOf = (result: Result) => {
  switch (result.status) {
    case "failed":
      return {
        failure: { code: result.code, message: result.message },
        ...(result.remembered && { remembered: true }),
      }
    case "held":
      return { reason: result.reason }
    case "under_way":
      return { pid: result.pid, reason: underWayText(result) }
    case "skipped":
      return {
        reason: result.reason,
        outputs: outputsOf(result.outputs),
        ...(result.isTaken && { taken: true }),
        ...(result.isChanged && { changed: true }),
      }
    case "planned":
      return {
        outputs: outputsOf(result.outputs),
        origin: result.origin,
        duration_seconds: result.seconds,
        heard_seconds: result.partSeconds,
        minutes: result.minutes,
        credits: result.credits,
        credits_at_most: result.creditsAtMost,
      }
    case "done": {
      const { facts } = result
      return {
        outputs: outputsOf(result.outputs),
        ...(facts.id !== null && { id: facts.id }),
        origin: facts.origin,
        engine: facts.engine,
        language: facts.language,
        duration_seconds: facts.durationSeconds,
        heard_seconds: result.partSeconds,
        words: facts.words,
        speakers: facts.speakers,
        took_seconds: Number(result.tookSeconds.toFixed(2)),
        speed: speedOf(result),
        warnings: facts.warnings,
        gaps: facts.gaps,
        doubts: facts.doubts,
        word_timing: facts.wordTiming,
        enrichment: facts.enrichment,
      }
    }
  }
}

/** The result as a line of JSON, as manifests hold it. */
export const jsonOf = (result: Result): string =>
  printableJson({
    source: result.source,
    status: result.status,
    ...identityOnWire(result.identity),
    ...fieldsOf(result),
  })

const MANIFEST_START = /^\{"source":"(?:[^"\\]|\\.)*","status":"/

/** Whether a file that begins so is a manifest. */
export const isManifestStart = (text: string): boolean => MANIFEST_START.test(text)
