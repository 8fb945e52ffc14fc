/** Nearly all text is clean already: one look for anything else than ink and single spaces between it. */
const UNCLEAN =
  /[\u0000-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\ud800-\udfff]| {2}|^ | $/
const CONTROL = /[^\P{Cc}\t\n\v\f\r\u0085]/gu
const WHITE_SPACE = /[\s\u0085]+/g
const LONE_SURROGATE = /\p{Cs}/gu

/** Text on one line: runs of white space become one space, none at the ends; no control character, no lone surrogate. */
export const cleanText = (text: string): string =>
  UNCLEAN.test(text)
    ? text.replace(CONTROL, "").replace(WHITE_SPACE, " ").trim().replace(LONE_SURROGATE, "\ufffd")
    : text
