import { Config, Data, Effect, Effectable, Either, Option } from "effect"
import type { Kind } from "./kinds.js"

/** A setting has a value that cannot be. The value itself is told only where it is no secret. */
export class SettingInvalid extends Data.TaggedError("SettingInvalid")<{
  readonly setting: string
  readonly problem: string
}> {
  override get message() {
    return `${this.setting} ${this.problem}`
  }
}

/** What is known of a setting beside its value: what the reference page says. */
export interface SettingFacts {
  /** Those of OpenTelemetry, and the key that clients of Earmark read, keep the names that they have everywhere. */
  readonly name: `EARMARK_${string}` | `OTEL_${string}` | "SERVICE_API_KEY"
  /** The default, as a person reads it. */
  readonly otherwise: string
  readonly kind: string
  readonly sentence: string
  /** Its text is told to nobody. */
  readonly isSecret: boolean
}

interface Definition<Value, Otherwise> {
  readonly kind: Kind<Value>
  /** The value when the variable is not set, or holds nothing but blanks. */
  readonly otherwise: Otherwise
  /** How the reference page tells the default, where its value does not say it. */
  readonly shown?: string
  readonly sentence: string
}

/** One variable of the environment. As an effect it is its value, read through the config provider of the moment. */
export class Setting<Value> extends Effectable.Class<Value, SettingInvalid> {
  constructor(
    readonly facts: SettingFacts,
    private readonly read: Effect.Effect<Value, SettingInvalid>,
    /** Whether the variable holds more than blanks, valid or not. */
    readonly isSet: Effect.Effect<boolean>,
  ) {
    super()
  }

  override commit(): Effect.Effect<Value, SettingInvalid> {
    return this.read
  }
}

/** Says how a setting is called, what it may be, and what it is when nobody sets it. */
export const setting = <Value, const Otherwise>(
  name: SettingFacts["name"],
  { kind, otherwise, shown, sentence }: Definition<Value, Otherwise>,
): Setting<Value | Otherwise> => {
  const invalid = (problem: string) => new SettingInvalid({ setting: name, problem })
  const given = Config.option(Config.string(name)).pipe(
    Effect.mapBoth({
      onFailure: () => invalid("cannot be read"),
      onSuccess: (found) => Option.getOrElse(found, () => "").trim(),
    }),
  )
  const read = given.pipe(
    Effect.flatMap((text): Either.Either<Value | Otherwise, SettingInvalid> => {
      if (text === "") return Either.right(otherwise)
      const told = kind.isSecret ? "" : `, and is "${text.slice(0, 100)}"`
      return Either.mapLeft(kind.parse(text), (must) => invalid(`must be ${must}${told}`))
    }),
  )
  const facts = { name, otherwise: shown ?? String(otherwise), kind: kind.name, sentence }
  const isSet = Effect.match(given, { onFailure: () => true, onSuccess: (text) => text !== "" })
  return new Setting({ ...facts, isSecret: kind.isSecret }, read, isSet)
}
