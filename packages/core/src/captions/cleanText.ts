/** Anything that could be harmful or untidy in some format; text without it is used as it is. */
const SUSPECT = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]|\s\s|^\s|\s$/
const LONE_SURROGATE = /\p{Surrogate}/gu
const WHITE_SPACE = /[\s\u0085]+/g
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g

const oneSpace = (run: string): string => (run === "\u3000" || run === "\u00a0" ? run : " ")

/**
 * Spoken text in a form that no format can misread as structure: one line, no control characters, no half characters.
 * Runs of white space become one space.
 */
export const cleanText = (text: string): string =>
  SUSPECT.test(text)
    ? text
        .replace(WHITE_SPACE, oneSpace)
        .replace(UNPRINTABLE, "")
        .replace(LONE_SURROGATE, "\ufffd")
        .trim()
    : text
