/** Minutes east of UTC. The name counts as it stands: PST in July is still eight hours behind. */
const ZONES = new Map<string, number>([
  ["wet", 0],
  ["west", 60],
  ["bst", 60],
  ["cet", 60],
  ["met", 60],
  ["mez", 60],
  ["cest", 120],
  ["mest", 120],
  ["mesz", 120],
  ["eet", 120],
  ["sast", 120],
  ["eest", 180],
  ["msk", 180],
  ["ist", 330],
  ["awst", 480],
  ["hkt", 480],
  ["sgt", 480],
  ["jst", 540],
  ["kst", 540],
  ["acst", 570],
  ["aest", 600],
  ["acdt", 630],
  ["aedt", 660],
  ["nzst", 720],
  ["nzdt", 780],
  ["nst", -210],
  ["ndt", -150],
  ["adt", -180],
  ["at", -240],
  ["ast", -240],
  ["edt", -240],
  ["et", -300],
  ["est", -300],
  ["cdt", -300],
  ["ct", -360],
  ["cst", -360],
  ["mdt", -360],
  ["mt", -420],
  ["mst", -420],
  ["pdt", -420],
  ["pt", -480],
  ["pst", -480],
  ["akdt", -480],
  ["akst", -540],
  ["hst", -600],
])

/** Hours and minutes from UTC. What follows, such as the name of the zone, says it once more. */
const OFFSET = /^(?:gmt|utc|ut|z)?\s*([+-])(?:(\d{1,2})(?::?(\d{2}))?|[\d:.]+)(?:\s.*)?$/s
const NAME = /^[a-z][a-z0-9/_\s]*$/

/** Without the comment in brackets at the end, whether it is closed or not. */
const withoutComment = (text: string): string => {
  if (!text.includes("(")) return text
  const comment = text.indexOf("(", text.slice(0, -1).lastIndexOf(")") + 1)
  return comment < 0 ? text : text.slice(0, comment)
}

/**
 * Minutes east of UTC of what follows the time of day. Nothing, unknown names (RFC 5322 says so for them) and
 * impossible offsets are UTC; null when it is no zone at all.
 */
export const zoneMinutes = (text: string): number | null => {
  const zone = withoutComment(text.toLowerCase())
    .replace(/^etc\//, "")
    .trim()
  if (zone === "") return 0
  const offset = OFFSET.exec(zone)
  if (offset === null) return NAME.test(zone) ? (ZONES.get(zone) ?? 0) : null
  const [, sign, hours = "24", minutes = "0"] = offset
  if (Number(hours) > 23 || Number(minutes) > 59) return 0
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
