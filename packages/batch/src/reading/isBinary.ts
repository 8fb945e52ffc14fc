/** A NUL alone does not tell: it stands between the names of `find -print0`. */
export const isBinary = (text: string): boolean =>
  text.includes("\u0000") && /[\u0001-\u0008\u000e-\u001f\ufffd]/.test(text)
