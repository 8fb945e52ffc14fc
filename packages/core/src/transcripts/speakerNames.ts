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

/** So many speakers of one transcript have names at most. */
export const MOST_NAMED_SPEAKERS = 100

/** Names of speakers by their labels, such as `{"Speaker 1": "Ann"}`. */
export type SpeakerNames = Readonly<Record<string, string>>

/**
 * What speakers were called before `labelSpeakers`, by their labels; what is a label already is no name. Of more than a hundred, the names
 * of those who appear first.
 */
export const namesOfSpeakers = (segments: ReadonlyArray<Segment>): SpeakerNames => {
  const labels = labelSpeakers(segments)
  const names = new Map<string, string>()
  const note = (label: string | null | undefined, name: string | null): void => {
    if (label === null || label === undefined || name === null || LABEL.test(name)) return
    if (names.size < MOST_NAMED_SPEAKERS) names.set(label, name.slice(0, LONGEST_NAME))
  }
  segments.forEach(({ speaker, words }, at) => {
    note(labels[at]?.speaker, speaker)
    words.forEach((word, index) => {
      note(labels[at]?.words[index]?.speaker, word.speaker)
    })
  })
  return Object.fromEntries(names)
}

/** What a speaker is called: by name, or else by the label. */
export const speakerName = (names: SpeakerNames, label: string): string =>
  Object.hasOwn(names, label) ? (names[label] ?? label) : label

/** Finds the label of a speaker by the label itself or by the name that it is shown under. Any other text stays as it is. */
export const speakerLabels = (
  lines: ReadonlyArray<Pick<Segment, "speaker">>,
  names: SpeakerNames,
): ((speaker: string) => string) => {
  const spoken = new Set(lines.map(({ speaker }) => speaker))
  const labels = new Map<string, string>()
  for (const [label, name] of Object.entries(names)) {
    const known = labels.get(name)
    if (known === undefined || (!spoken.has(known) && spoken.has(label))) labels.set(name, label)
  }
  return (speaker) => (spoken.has(speaker) ? speaker : (labels.get(speaker) ?? speaker))
}

/** New names by the labels of their speakers, who may be meant by the names that they are shown under. */
export const namesByLabel = <Name>(
  asked: Readonly<Record<string, Name>>,
  lines: ReadonlyArray<Pick<Segment, "speaker">>,
  names: SpeakerNames,
): Readonly<Record<string, Name>> => {
  const labelOf = speakerLabels(lines, names)
  return Object.fromEntries(Object.entries(asked).map(([speaker, name]) => [labelOf(speaker), name]))
}

/** The transcript with the names that people gave to its speakers. A label without a name stays; all are replaced at once. */
export const renameSpeakers = (transcript: Transcript, names: SpeakerNames): Transcript => ({
  ...transcript,
  segments: withSpeakers(transcript.segments, (speaker) => speakerName(names, speaker)),
})
