/** Operations as people write them, with the names of speakers, as operations on the labels that lines have. */
import type { EditOperation } from "@earmark/core/edits"
import { type SpeakerNames, speakerName } from "@earmark/core/transcripts"

/** The labels that are shown as a name. */
const labelsOf = (
  name: string,
  labels: ReadonlySet<string>,
  names: SpeakerNames,
): readonly [string, ...Array<string>] => {
  const [first, ...others] = [...labels].filter((label) => speakerName(names, label) === name)
  return first === undefined ? [name] : [first, ...others]
}

/** A name that several labels have means all of them where a speaker is renamed, and the first where one is given. */
export const labelledOperations = (
  operations: ReadonlyArray<EditOperation>,
  labels: ReadonlySet<string>,
  names: SpeakerNames,
): ReadonlyArray<EditOperation> =>
  operations.flatMap((operation): ReadonlyArray<EditOperation> => {
    if (operation.type === "speaker") {
      const { speaker } = operation
      return [{ ...operation, speaker: speaker === null ? null : labelsOf(speaker, labels, names)[0] }]
    }
    if (operation.type === "rename_speaker") {
      const [first, ...others] = labelsOf(operation.from, labels, names)
      const { to } = operation
      return [
        { ...operation, from: first },
        ...others.map((from): EditOperation => ({ type: "merge_speakers", from, into: to })),
      ]
    }
    if (operation.type === "merge_speakers") {
      const [into] = labelsOf(operation.into, labels, names)
      return labelsOf(operation.from, labels, names).map((from) => ({ ...operation, from, into }))
    }
    return [operation]
  })
