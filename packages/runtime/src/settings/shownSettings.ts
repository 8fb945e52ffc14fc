import { Config, Effect, Option } from "effect"
import type { SettingFacts } from "./Setting.js"
import { settingSections } from "./Settings.js"

/** A password or a key may stand in an address. */
const holdsSecret = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { username, password, search } = new URL(text)
  return username !== "" || password !== "" || search !== ""
}

const shown = ({ name, otherwise, sentence, isSecret }: SettingFacts) =>
  Effect.map(Effect.option(Config.string(name)), (given) => {
    const text = Option.getOrElse(given, () => "").trim()
    const isHidden = isSecret || holdsSecret(text)
    return {
      name,
      value: isHidden || text === "" ? null : text,
      is_set: text !== "",
      default: otherwise,
      sentence,
    }
  })

/** Every setting as it is set, by section, from the config provider of the moment. Secrets are only said to be set. */
export const shownSettings = Effect.forEach(settingSections, ({ title, settings }) =>
  Effect.map(Effect.forEach(settings, shown), (all) => ({ title, settings: all })),
)
