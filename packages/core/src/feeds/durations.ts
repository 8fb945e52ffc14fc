const DURATION = /^(?:(?:(\d{1,9}):(?=[0-5]?\d:))?(\d{1,9}):([0-5]?\d)|(\d{1,9}))(?:\.\d*)?$/

/**
 * Whole seconds of an `itunes:duration`: seconds, `MM:SS` or `H:MM:SS`, fractions dropped.
 * Minutes pass 59 only where there are no hours, seconds never.
 * Null for everything else: a length is never invented.
 */
export const parseFeedDuration = (text: string): number | null => {
  const parts = DURATION.exec(text.trim())
  if (parts === null) return null
  const [, hours = "0", minutes = "0", seconds, plain] = parts
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(plain ?? seconds)
}
