const TITLE_AT_MOST = 300
const EXTENSION = /\.[a-z0-9]{1,5}$/i

/** What to call a file of that name: without folders, extension and control characters; null when that says nothing. */
export const fileTitle = (name: string): string | null => {
  const whole = name.replace(/[\p{C}\s]+/gu, " ").trim()
  const own = whole.split(/[\\/]/).findLast((part) => part !== "") ?? ""
  const title = own.replace(EXTENSION, "").trim()
  return title === "" ? null : title.slice(0, TITLE_AT_MOST)
}
