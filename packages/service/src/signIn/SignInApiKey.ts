/** People sign in with an API key of their account: it is looked at once, and kept nowhere. */
import { Effect, Layer, Redacted } from "effect"
import { SignIn, SignInRefused } from "../ports/SignIn.js"
import { Keys } from "../useCases/Keys.js"

const FIELD = "api_key"

const step = {
  type: "form",
  explanation:
    "Paste an API key of your account. It shows once that the account is yours: it is neither kept nor given to the app.",
  fields: [{ name: FIELD, label: "API key", kind: "secret" }],
} as const

const refused = new SignInRefused({
  message: "This API key is not valid. Keys begin with em_live_ or em_test_.",
})

export const layer = Layer.effect(
  SignIn,
  Effect.map(Keys, (keys) =>
    SignIn.of({
      answeredBy: "form",
      begin: () => Effect.succeed(step),
      finish: (_, answers) =>
        keys.authenticate(Redacted.make((answers[FIELD] ?? "").trim())).pipe(
          Effect.map(({ account, scopes, isTest, key }) => ({ account, scopes, isTest, key })),
          Effect.catchTag("Unauthorized", () => refused),
        ),
    }),
  ),
)
