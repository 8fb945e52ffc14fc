import { type DerivedKeys, deriveKeys, openSecret, type SealBroken, sealSecret } from "@earmark/core/signing"
import { Context, Effect, type Either, Layer, Redacted } from "effect"
import { Entropy, randomOf } from "./Entropy.js"

/** The keys that everything secret is sealed, hashed and signed with. All come from one secrets key. */
export class Secrets extends Context.Tag("@earmark/service/Secrets")<
  Secrets,
  {
    readonly keys: Redacted.Redacted<DerivedKeys>
    /** Encrypts a text for a store; it opens only at the same place. */
    readonly seal: (text: string, place: string) => Effect.Effect<string>
    readonly open: (sealed: string, place: string) => Either.Either<string, SealBroken>
  }
>() {
  /** From 32 bytes. Processes that share a store share them. */
  static readonly layer = (secretsKey: Redacted.Redacted<Uint8Array>) =>
    Layer.sync(Secrets, () => fromKeys(deriveKeys(Redacted.value(secretsKey))))

  /** New keys that are gone with the process: for tests, and for stores in memory. */
  static readonly layerEphemeral = Layer.effect(
    Secrets,
    Effect.map(Entropy, (entropy) => fromKeys(deriveKeys(entropy.bytes(32)))),
  )
}

const NONCE_BYTES = 12

const fromKeys = (derived: DerivedKeys): Secrets["Type"] => {
  const key = { id: derived.id, key: derived.webhookSecrets }
  return {
    keys: Redacted.make(derived),
    seal: (text, place) =>
      Effect.flatMap(randomOf(NONCE_BYTES), (nonce) => Effect.orDie(sealSecret({ key, nonce, text, place }))),
    open: (text, place) => openSecret({ keys: [key], text, place }),
  }
}
