/** Over this the words of a stretch of sound are not what was said in it. */
export const DOUBTFUL_MISFIT = 0.82

/** Fewer words than this say nothing: the right ones may fit no better than others. */
export const FEWEST_JUDGED_WORDS = 3
