/** Foreign text without what would control the terminal or turn its reading direction around. */
export const printable = (text: string): string =>
  text.replace(/\p{Bidi_Control}+/gu, "").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")

/** Escaped too in what we print: 8-bit controls, which JSON takes as they are, and what turns the reading direction around. */
const UNPRINTABLE = /[\u007f-\u009f]|\p{Bidi_Control}/gu

/** JSON that says the same to a program, and controls no terminal. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    UNPRINTABLE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
