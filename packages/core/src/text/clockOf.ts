/** Seconds as 4:05 or 1:04:05. */
export const clockOf = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const rest = String(whole % 60).padStart(2, "0")
  const minutes = Math.floor(whole / 60) % 60
  return whole < 3600
    ? `${minutes}:${rest}`
    : `${Math.floor(whole / 3600)}:${String(minutes).padStart(2, "0")}:${rest}`
}
