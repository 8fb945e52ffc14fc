const PRINTABLE = /^[\x21-\x7e]*$/
const UNCLEAN = /[\s\p{Cc}\p{Cs}]/u
const CONTROL = /[^\P{Cc}\t\n\v\f\r\u0085]/gu
const WHITE_SPACE = /[\s\u0085]+/g
const LONE_SURROGATE = /\p{Cs}/gu

/** Text on one line: runs of white space become one space, none at the ends; no control character, no lone surrogate. */
export const cleanText = (text: string): string =>
  PRINTABLE.test(text) || !UNCLEAN.test(text)
    ? text
    : text.replace(CONTROL, "").replace(WHITE_SPACE, " ").trim().replace(LONE_SURROGATE, "\ufffd")
