import type { FailureCode } from "@earmark/core/jobs"

/** What went wrong with a post, by the last complaint of the program. Its words stay with us: they carry addresses and texts of others. */
export interface Trouble {
  readonly failure: FailureCode
  readonly later: boolean
  readonly detail: string
}

const TROUBLES: ReadonlyArray<readonly [RegExp, Trouble]> = [
  [
    /tunnel connection failed: 403/i,
    {
      failure: "source_blocked",
      later: false,
      detail: "This post leads to an address that this server does not visit; upload the recording instead.",
    },
  ],
  [
    /no suitable extractor|unsupported url/i,
    {
      failure: "source_unresolvable",
      later: false,
      detail: "This kind of post cannot be read; upload the recording instead.",
    },
  ],
  [
    /private|log ?in|sign in|cookies|password|members|subscriber|age.restrict|confirm your age|not a bot|http error 40[13]|forbidden|geo.?restrict|not available (?:in|from) your (?:country|location)/i,
    {
      failure: "source_forbidden",
      later: false,
      detail: "The site hands this post out to its own visitors only; upload the recording instead.",
    },
  ],
  [
    /http error 429|too many requests|rate.?limit|timed? ?out|connection (?:refused|reset|aborted)|temporary failure|tunnel connection failed|bad gateway|http error 5\d\d|remote end closed|incompleteread|unable to (?:connect|download api)/i,
    {
      failure: "download_failed",
      later: true,
      detail: "The site did not answer as it should; try again later.",
    },
  ],
  [
    /http error 4(?:04|10)|not found|does not exist|been (?:removed|deleted)|deleted|no longer available|unavailable|not available/i,
    {
      failure: "source_not_found",
      later: false,
      detail: "This post no longer exists. Check the link, or upload the recording.",
    },
  ],
]

const OTHER: Trouble = {
  failure: "source_unresolvable",
  later: false,
  detail: "This post has no media that can be read from outside; upload the recording instead.",
}

/** Judges what the program wrote to its standard error. */
export const troubleIn = (errors: string): Trouble => {
  const complaint = errors.split("\n").findLast((line) => line.startsWith("ERROR")) ?? errors.slice(-2000)
  return TROUBLES.find(([pattern]) => pattern.test(complaint))?.[1] ?? OTHER
}
