/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const UNSPACED_START = new RegExp(`^${UNSPACED.source}`, "u")
const UNSPACED_END = new RegExp(`(?:${UNSPACED.source}|[、。，！？」』）】])$`, "u")
const NOT_LATIN = /[^\u0000-\u02ff]/

/** Whether two neighbouring pieces of text are joined by a space: not between two of Han, Kana, Thai, Lao, Khmer. */
export const isSpaced = (left: string, right: string): boolean =>
  !NOT_LATIN.test(left) || !NOT_LATIN.test(right) || !(UNSPACED_END.test(left) && UNSPACED_START.test(right))

/** The one place that knows how units of a language are put together again. */
export const joinUnits = (units: ReadonlyArray<string>): string => {
  let joined = ""
  for (const unit of units) {
    if (unit === "") continue
    joined += joined === "" || !isSpaced(joined.slice(-2), unit.slice(0, 2)) ? unit : ` ${unit}`
  }
  return joined
}
