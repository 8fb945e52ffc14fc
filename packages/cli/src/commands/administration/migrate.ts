import { counted } from "@earmark/core/text"
import type { Migrated, SecretsKeyChange } from "@earmark/runtime"
import { Effect } from "effect"
import type { Given } from "../../grammar/Grammar.js"
import type { migrate as migrateSpec } from "../../grammar/operating.js"
import { print } from "../../output.js"
import { loadHost } from "./administer.js"

const FOLLOWS =
  "API keys that were made with another one are good for nothing: make new ones with earmark keys create. Give each endpoint of webhooks a new secret with earmark webhooks rotate --grace 0; until then nothing is sent to it."

const SIGN_IN =
  "What the sign-in of agents was sealed with is forgotten: they are asked to sign in once more."

const keySentences = ({ was, is, sign_in_forgotten }: SecretsKeyChange): ReadonlyArray<string> => {
  const signIn = sign_in_forgotten ? [SIGN_IN] : []
  if (was === is && !sign_in_forgotten)
    return ["The store has this secrets key already; nothing was changed."]
  if (was === is) return ["The store has this secrets key already.", ...signIn]
  if (was !== null) return ["The store has a new secrets key.", FOLLOWS, ...signIn]
  return ["The store had no record of its secrets key, and has one now.", FOLLOWS, ...signIn]
}

const sentences = ({ applied, secrets_key }: Migrated): string => {
  const upToDate =
    applied === 0
      ? "The store is up to date."
      : `The store is up to date now: ${counted(applied, "migration")} ${applied === 1 ? "was" : "were"} applied.`
  return [upToDate, ...(secrets_key === undefined ? [] : keySentences(secrets_key))].join("\n")
}

export const migrate = (options: Given<typeof migrateSpec>) =>
  Effect.gen(function* () {
    const { newSecretsKey } = options
    const migrated = yield* (yield* loadHost).migrate({ newSecretsKey })
    yield* print(`${options.json ? JSON.stringify(migrated, null, 2) : sentences(migrated)}\n`)
  })
