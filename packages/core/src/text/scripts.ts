/** Letters of scripts written without spaces between words, as the inside of a character class. */
export const UNSPACED_LETTERS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ーｰ\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}"
