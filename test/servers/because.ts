/** Why tests are skipped, for their name; nothing where all is there. */
export const because = (...missing: ReadonlyArray<string | null>): string => {
  const reasons = missing.filter((each) => each !== null)
  return reasons.length === 0 ? "" : ` (skipped: ${reasons.join("; ")})`
}
