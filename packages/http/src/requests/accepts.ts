const PROBLEM_RANGES: ReadonlyArray<string> = ["*/*", "application/*", "application/problem+json"]
const JSON_RANGES: ReadonlyArray<string> = [...PROBLEM_RANGES, "application/json"]

const EVENT_RANGES: ReadonlyArray<string> = ["*/*", "text/*", "text/event-stream"]

const NO_WEIGHT = /^q=0(\.0*)?$/

/** Whether one of the ranges may be answered. Whoever does not say takes anything. */
const accepts = (accept: string | undefined, ranges: ReadonlyArray<string>): boolean => {
  if (accept === undefined || accept.trim() === "") return true
  return accept.split(",").some((part) => {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
    return ranges.includes(range) && !parameters.some((each) => NO_WEIGHT.test(each))
  })
}

export const acceptsJson = (accept: string | undefined): boolean => accepts(accept, JSON_RANGES)

/** Whether an error may be called a problem: not where only plain JSON is accepted. */
export const acceptsProblems = (accept: string | undefined): boolean =>
  accepts(accept, PROBLEM_RANGES) || !acceptsJson(accept)

export const acceptsEvents = (accept: string | undefined): boolean => accepts(accept, EVENT_RANGES)

/** Whether a person is looking: browsers name HTML, programs take anything. */
export const asksForPage = (accept: string | undefined): boolean =>
  accept !== undefined && accept.trim() !== "" && accepts(accept, ["text/html"])

/** Whether a client takes gzip: it says so, by name or for any encoding, and takes it back nowhere. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean => {
  const weights = new Map(
    (acceptEncoding ?? "").split(",").map((part) => {
      const [coding = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
      return [coding, !parameters.some((each) => NO_WEIGHT.test(each))]
    }),
  )
  return weights.get("gzip") ?? weights.get("*") ?? false
}
