const JSON_RANGES: ReadonlyArray<string> = [
  "*/*",
  "application/*",
  "application/json",
  "application/problem+json",
]

/** Whether JSON may be answered. Whoever does not say takes anything. */
export const acceptsJson = (accept: string | undefined): boolean => {
  if (accept === undefined || accept.trim() === "") return true
  return accept.split(",").some((part) => {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
    return JSON_RANGES.includes(range) && !parameters.some((each) => /^q=0(\.0*)?$/.test(each))
  })
}
