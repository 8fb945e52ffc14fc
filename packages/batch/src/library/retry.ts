/** What an entry of the library was made of, to make it again: the same source with the same options, to the same places. */
import { type ExportFormat, exportFormats } from "@earmark/core/captions"
import type { Asked } from "../Asked.js"
import type { Destination } from "../results/destination.js"
import type { AskedSource } from "../run/tasks.js"
import type { Head } from "./Head.js"

const rangeOf = ({ speakers }: Head["job"]["options"]) => {
  if (speakers === null) return undefined
  const min = speakers.min ?? 1
  return { min, max: speakers.max ?? min }
}

const milliseconds = (seconds: number | null): number | undefined =>
  seconds === null ? undefined : Math.round(seconds * 1000)

const askedOf = ({ job: { options }, again }: Head): Asked => {
  const speakers = rangeOf(options)
  return {
    options: {
      diarize: options.diarize || speakers !== undefined,
      channels: again.channels === true,
      summary: options.summary,
      chapters: options.chapters,
      speakers,
      language: options.language ?? undefined,
      quality: again.quality_explicit ? options.quality : undefined,
      vocabulary: options.vocabulary.length === 0 ? undefined : options.vocabulary,
      startAt: milliseconds(options.start_at),
      endAt: milliseconds(options.end_at),
      translateTo: options.translate_to ?? undefined,
    },
    formats: [],
    wordLevel: again.word_level,
    layout: { profile: undefined, maxCharsPerLine: undefined, maxLines: undefined },
    names: {},
    episode: again.episode === null ? null : { guid: again.episode },
    name: null,
  }
}

const isFormat = (name: string): name is ExportFormat => Object.hasOwn(exportFormats, name)

/** Null where the source is not there any more. */
export const retryOf = (
  head: Head,
): { readonly source: AskedSource; readonly destination: Destination } | null => {
  const { source, places } = head.again
  if (source === null) return null
  const targets = places.flatMap(({ format, path }) => (isFormat(format) ? [{ format, path }] : []))
  return { source: { source, asked: askedOf(head) }, destination: { type: "places", targets } }
}
