export { ALIGNER_VERSION } from "./alignerVersion.js"
export {
  type AlignOptions,
  alignWindow,
  alignWindowSteps,
  type WindowAlignment,
  type WordTime,
} from "./alignWindow.js"
export { type AlignedWords, alignWords, alignWordsSteps } from "./alignWords.js"
export { type Cepstra, cepstraOf, DIMENSIONS } from "./cepstra.js"
export { DOUBTFUL_MISFIT, FEWEST_JUDGED_WORDS } from "./misfit.js"
export { PHONES } from "./phones.js"
export type { SoundBlock } from "./SoundQueue.js"
export { packSoundModel, readSoundModel, type SoundModel, STATES_PER_PHONE } from "./soundModel.js"
export { type FoundWord, makeTextAligner, type TextAligner, type TextWord } from "./TextAligner.js"
