/** How far a wrong text is from its sound, usually. */
export const USUAL_OF_WRONG = 6
/** In an echoing room the decoy fits as badly as the right text, which is still nearer to its sound than a wrong one. */
const WEIGHT_OF_DISTANCE = 0.75

/** How badly a text fits: its distance from the sound over that of its decoy, and more where it is far from the sound altogether. */
export const misfitOf = (near: number, far: number): number =>
  far === 0 ? 1 : (near / far) * (near / USUAL_OF_WRONG) ** WEIGHT_OF_DISTANCE

/** Over this the words of a stretch of sound are not what was said in it. */
export const DOUBTFUL_MISFIT = 0.75

/** Fewer words than this say nothing: the right ones may fit no better than others. */
export const FEWEST_JUDGED_WORDS = 3
