/** In this order: later browsers call themselves like those below as well. */
const BROWSERS = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const

const SYSTEMS = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const

type Named = ReadonlyArray<readonly [RegExp, string]>

const nameIn = (agent: string, named: Named): string | undefined =>
  named.find(([pattern]) => pattern.test(agent))?.[1]

/** "Firefox on Linux"; null where neither is known. */
export const browserOf = (agent: string | null): string | null => {
  if (agent === null) return null
  const names = [nameIn(agent, BROWSERS), nameIn(agent, SYSTEMS)].filter((name) => name !== undefined)
  return names.length === 0 ? null : names.join(" on ")
}
