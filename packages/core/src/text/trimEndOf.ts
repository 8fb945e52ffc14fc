/**
 * The text without these characters at its end. A regular expression such as `/\/+$/` would try each run of them
 * from each of its characters on.
 */
export const trimEndOf = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
