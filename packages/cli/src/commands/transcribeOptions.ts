/** What `earmark transcribe` and `earmark feed watch` take alike. */

import type { Written } from "@earmark/batch"
import { Option } from "effect"
import type { Given as GivenOf } from "../grammar/Grammar.js"
import type { Shared } from "../grammar/transcribing.js"
import { NOTHING_ASKED, type TranscribeRequest } from "../transcribe/TranscribeRequest.js"

const or = <Value>(given: Option.Option<Value>): Value | undefined => Option.getOrUndefined(given)

type Given = GivenOf<Shared>

export const rawOf = (given: Given): Written => ({
  format: or(given.format),
  diarize: Option.getOrElse(given.diarize, () => false),
  speakers: or(given.speakers),
  channels: given.channels,
  language: or(given.language),
  quality: or(given.quality),
  vocabulary: or(given.vocabulary),
  summary: given.summary,
  chapters: given.chapters,
  translate: or(given.translate),
  wordLevel: given.wordLevel,
  cues: or(given.cues),
  maxChars: or(given.maxChars),
  maxLines: or(given.maxLines),
  name: or(given.name),
})

/** The part of a request that both commands say; the rest is as when nothing is said. */
export const requestOf = (given: Given, sources: ReadonlyArray<string>): TranscribeRequest => ({
  ...NOTHING_ASKED,
  sources,
  raw: rawOf(given),
  output: or(given.output) ?? null,
  engine: or(given.engine) ?? null,
  keep: !given.noKeep,
  force: given.force,
  maxMinutes: or(given.maxMinutes) ?? null,
  maxCredits: or(given.maxCredits) ?? null,
  manifest: or(given.manifest) ?? null,
  json: given.json,
  quiet: given.quiet,
  verbose: given.verbose,
  colour: given.color,
})
