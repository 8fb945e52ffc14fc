/** What marks the ends of sentences and of their parts, in all scripts. Each is the inside of a character class. */

/** Marks that end a sentence where white space or nothing follows. */
export const SPACED_SENTENCE_ENDS = ".!?…؟۔।॥։።"
/** Marks that end a sentence whatever follows. */
export const UNSPACED_SENTENCE_ENDS = "。．！？｡"
export const SENTENCE_ENDS = SPACED_SENTENCE_ENDS + UNSPACED_SENTENCE_ENDS

/** Marks that part what is said within a sentence: strong ones, and commas. */
export const COLONS = ";:—–；：؛"
export const COMMAS = ",，、،"

/** Quotes and brackets that may stand behind a mark and belong to it. */
export const CLOSERS = "\"'”’“)\\]}»›」』）】〕〉》"
