import { FEATURES, type SoundFeatures } from "./features.js"
import type { Run } from "./speechRuns.js"
import type { VoiceModel } from "./VoiceModel.js"

/** What a change of speaker costs, as log likelihood. */
const CHANGE = 60
const WEIGHT_OF_UNCLEAR = 0.1
/** A single strange frame decides nothing. */
const LEAST_LIKELIHOOD = -200

/** Writes the likeliest sequence of speakers through a run into `labels` (Viterbi). */
export const likeliestSpeakers = (
  models: ReadonlyArray<VoiceModel>,
  { values, loudness }: SoundFeatures,
  clear: number,
  run: Run,
  labels: Int16Array,
): void => {
  const count = models.length
  const length = run.to - run.from
  const cameFrom = new Int16Array(length * count)
  const scores = new Float64Array(count)
  for (let step = 0; step < length; step++) {
    const frame = run.from + step
    const weight = (loudness[frame] ?? 0) > clear ? 1 : WEIGHT_OF_UNCLEAR
    let leader = 0
    for (let speaker = 1; speaker < count; speaker++) {
      if ((scores[speaker] ?? 0) > (scores[leader] ?? 0)) leader = speaker
    }
    const changed = (scores[leader] ?? 0) - CHANGE
    for (const [speaker, model] of models.entries()) {
      const stayed = scores[speaker] ?? 0
      const stays = step === 0 || stayed >= changed
      const said = Math.max(LEAST_LIKELIHOOD, model.logLikelihood(values, frame * FEATURES))
      scores[speaker] = (stays ? stayed : changed) + weight * said
      cameFrom[step * count + speaker] = stays ? speaker : leader
    }
  }
  let speaker = scores.indexOf(Math.max(...scores))
  for (let step = length - 1; step >= 0; step--) {
    labels[run.from + step] = speaker
    speaker = cameFrom[step * count + speaker] ?? speaker
  }
}
