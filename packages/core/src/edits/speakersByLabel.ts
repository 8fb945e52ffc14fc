import { type SpeakerNames, speakerLabels } from "../transcripts/speakerNames.js"
import type { Segment } from "../transcripts/Transcript.js"
import type { EditOperation } from "./EditOperation.js"

/**
 * The operations with speakers by their labels: a name that a label is shown under means that label. What is neither a label of the lines
 * nor such a name stays as it is, and becomes a label of its own.
 */
export const speakersByLabel = (
  operations: ReadonlyArray<EditOperation>,
  lines: ReadonlyArray<Pick<Segment, "speaker">>,
  names: SpeakerNames,
): ReadonlyArray<EditOperation> => {
  const labelOf = speakerLabels(lines, names)
  return operations.map((operation) => {
    switch (operation.type) {
      case "speaker":
        return operation.speaker === null ? operation : { ...operation, speaker: labelOf(operation.speaker) }
      case "rename_speaker":
        return { ...operation, from: labelOf(operation.from), to: labelOf(operation.to) }
      case "merge_speakers":
        return { ...operation, from: labelOf(operation.from), into: labelOf(operation.into) }
      default:
        return operation
    }
  })
}
