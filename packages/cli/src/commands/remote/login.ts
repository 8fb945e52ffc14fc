import { Args, Command, Options, Prompt } from "@effect/cli"
import { Effect, Option, Redacted } from "effect"
import { usage } from "../../CommandFailed.js"
import type { Page } from "../../help.js"
import { readAll, STANDARD_INPUT } from "../../input.js"
import { note } from "../../output.js"
import { askTarget } from "../../remote/ask.js"
import { readProfiles, writeProfiles } from "../../remote/profiles.js"
import { addressOf, isPrivateWay } from "../../remote/target.js"

const url = Args.text({ name: "url" }).pipe(
  Args.withDescription("The address of the service, such as https://transcripts.example."),
)

const name = Options.text("name").pipe(
  Options.withDescription("What to call it; its host when left out."),
  Options.optional,
)

const MOST_BYTES = 1000

/** Typed by a person, unseen; or piped in, for scripts. A key on the command line would be seen by every process. */
const readKey = (baseUrl: string) =>
  process.stdin.isTTY
    ? Prompt.password({ message: `API key for ${baseUrl}` }).pipe(
        Prompt.run,
        Effect.map((key) => Redacted.value(key).trim()),
        Effect.catchAll(() => usage("No key was given.")),
      )
    : Effect.map(readAll(STANDARD_INPUT, MOST_BYTES), (bytes) => bytes.toString("utf8").trim())

export const login = Command.make("login", { url, name }, (options) =>
  Effect.gen(function* () {
    const baseUrl = yield* addressOf(options.url)
    const key = yield* readKey(baseUrl)
    if (key === "")
      return yield* usage("No key was given. Type it, or pipe it in: earmark login URL < key-file")
    if (!isPrivateWay(baseUrl))
      yield* note("This address is not encrypted: others on the network can read the key.")
    yield* askTarget({ baseUrl, apiKey: Redacted.make(key) }, (client, { signal }) =>
      client.transcriptions.list({ limit: 1 }, { signal }),
    )
    const kept = yield* readProfiles
    const called = Option.getOrElse(options.name, () => new URL(baseUrl).host)
    yield* writeProfiles({
      current: called,
      profiles: { ...kept.profiles, [called]: { url: baseUrl, key } },
    })
    yield* note(
      `Commands now run at ${baseUrl} (profile ${called}). To work on this machine again, run "earmark config use" without a name; for one command, add --local.`,
    )
  }),
).pipe(
  Command.withDescription(
    "Keep the address and the key of a service, and use it. The key is typed, or comes on standard input.",
  ),
)

export const loginPage: Page = {
  name: "login",
  descriptor: login.descriptor,
  examples: ["earmark login https://transcripts.example", "earmark login http://127.0.0.1:8787 < first-key"],
  children: [],
}
