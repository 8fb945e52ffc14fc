const DURATION = /^(?:(?:(\d{1,9}):(?=(?:[0-5]?\d|60):))?(\d{1,9}):([0-5]?\d|60)|(\d{1,9}))(?:\.\d*)?$/

/**
 * Whole seconds of an `itunes:duration`: seconds, `MM:SS` or `H:MM:SS`, fractions dropped.
 * Minutes pass 60 only where there are no hours, seconds never. A 60 is what rounding leaves: it counts as it stands.
 * Null for everything else: a length is never invented.
 */
export const parseFeedDuration = (text: string): number | null => {
  const parts = DURATION.exec(text.trim())
  if (parts === null) return null
  const [, hours = "0", minutes = "0", seconds, plain] = parts
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(plain ?? seconds)
}
