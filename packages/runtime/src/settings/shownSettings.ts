import { Config, Effect, Option } from "effect"
import type { SettingFacts } from "./Setting.js"
import { settingSections } from "./Settings.js"
import { service } from "./service.js"

/** A password or a key may stand in an address. */
const holdsSecret = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { username, password, search } = new URL(text)
  return username !== "" || password !== "" || search !== ""
}

interface InForce {
  /** The address that clients use: made from host and port where nobody set it. */
  readonly baseUrl: string
}

const shownIn =
  ({ baseUrl }: InForce) =>
  ({ name, otherwise, sentence, isSecret }: SettingFacts) =>
    Effect.map(Effect.option(Config.string(name)), (given) => {
      const text = Option.getOrElse(given, () => "").trim()
      const isHidden = isSecret || holdsSecret(text)
      return {
        name,
        value: isHidden || text === "" ? null : text,
        is_set: text !== "",
        default: name === service.baseUrl.facts.name ? baseUrl : otherwise,
        sentence,
      }
    })

/** Every setting as it is set, by section, from the config provider of the moment. Secrets are only said to be set. */
export const shownSettings = (inForce: InForce) =>
  Effect.forEach(settingSections, ({ title, settings }) =>
    Effect.map(Effect.forEach(settings, shownIn(inForce)), (all) => ({ title, settings: all })),
  )
