import type { Segment, Transcript } from "./Transcript.js"

/** What keeps its speaker is not copied: without speakers, or names for them, that is every word. */
const withSpeakers = (
  segments: ReadonlyArray<Segment>,
  nameOf: (speaker: string) => string,
): ReadonlyArray<Segment> => {
  const named = <Item extends { readonly speaker: string | null }>(item: Item): Item => {
    const speaker = item.speaker === null ? null : nameOf(item.speaker)
    return speaker === item.speaker ? item : { ...item, speaker }
  }
  return segments.map((segment) => {
    const words = segment.words.map(named)
    const isSame = words.every((word, at) => word === segment.words[at])
    return isSame ? named(segment) : { ...named(segment), words }
  })
}

/** `Speaker 1`, `Speaker 2`, ... in order of first appearance, whatever the speakers were called. */
export const labelSpeakers = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const labels = new Map<string, string>()
  for (const { speaker } of segments)
    if (speaker !== null && !labels.has(speaker)) labels.set(speaker, `Speaker ${labels.size + 1}`)
  const labelOf = (speaker: string) => {
    const label = labels.get(speaker) ?? `Speaker ${labels.size + 1}`
    labels.set(speaker, label)
    return label
  }
  return withSpeakers(segments, labelOf)
}

const LABEL = /^Speaker \d+$/

/** What is kept of a name: as much as anybody may give. */
const LONGEST_NAME = 100

/** What speakers were called before `labelSpeakers`, by their labels; what is a label already is no name. */
export const namesOfSpeakers = (segments: ReadonlyArray<Segment>): Readonly<Record<string, string>> => {
  const labels = labelSpeakers(segments)
  const pairs = segments.flatMap(({ speaker, words }, at) => [
    [labels[at]?.speaker ?? null, speaker] as const,
    ...words.map((word, index) => [labels[at]?.words[index]?.speaker ?? null, word.speaker] as const),
  ])
  const names = pairs.flatMap(([label, name]) =>
    label === null || name === null || LABEL.test(name)
      ? []
      : [[label, name.slice(0, LONGEST_NAME)] as const],
  )
  return Object.fromEntries(names)
}

/** The transcript with the names that people gave to its speakers. A label without a name stays; all are replaced at once. */
export const renameSpeakers = (
  transcript: Transcript,
  names: Readonly<Record<string, string>>,
): Transcript => ({
  ...transcript,
  segments: withSpeakers(transcript.segments, (speaker) =>
    Object.hasOwn(names, speaker) ? (names[speaker] ?? speaker) : speaker,
  ),
})
