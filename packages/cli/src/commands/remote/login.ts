import { isPrivateWay } from "@earmark/core/links"
import { saveProfile } from "@earmark/runtime/user"
import { Effect, Redacted } from "effect"
import { usage } from "../../CommandFailed.js"
import { readSecret } from "../../consent.js"
import type { Given } from "../../grammar/Grammar.js"
import type { login as loginSpec } from "../../grammar/remote.js"
import { readAll, STANDARD_INPUT } from "../../input.js"
import { note } from "../../output.js"
import { askTarget } from "../../remote/ask.js"
import { addressOf, explainProfiles } from "../../remote/target.js"
import { sayDone } from "../administration/administer.js"

const MOST_BYTES = 1000

/** Typed by a person, unseen; or piped in, for scripts. A key on the command line would be seen by every process. */
const readKey = (baseUrl: string) =>
  process.stdin.isTTY
    ? Effect.map(readSecret(`? API key for ${baseUrl} › `), (key) => key.trim())
    : Effect.map(readAll(STANDARD_INPUT, MOST_BYTES), (bytes) => bytes.toString("utf8").trim())

export const login = (options: Given<typeof loginSpec>) =>
  Effect.gen(function* () {
    const baseUrl = yield* addressOf(options.url)
    const key = yield* readKey(baseUrl)
    if (key === "")
      return yield* usage("No key was given. Type it, or pipe it in: earmark login URL < key-file")
    if (!isPrivateWay(baseUrl))
      yield* note("This address is not encrypted: others on the network can read the key.")
    yield* askTarget({ baseUrl, apiKey: Redacted.make(key) }, (client, call) =>
      client.transcriptions.list({ limit: 1 }, call),
    )
    const called = options.name ?? new URL(baseUrl).host
    yield* Effect.mapError(saveProfile(called, { url: baseUrl, key }), explainProfiles)
    yield* sayDone(
      { profile: called, url: baseUrl },
      options.json,
      `Commands now run at ${baseUrl} (profile ${called}). To work on this machine again, run "earmark config use" without a name; for one command, add --local.`,
    )
  })
