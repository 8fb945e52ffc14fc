import { Either } from "effect"
import { secret, text } from "./kinds.js"
import { setting } from "./Setting.js"

/** Which server a command uses. */
export const client = {
  profile: setting("EARMARK_PROFILE", {
    kind: text,
    otherwise: null,
    shown: "the active profile",
    sentence: "The profile of `earmark login` whose server commands use. `--profile` overrides it.",
  }),
  serviceKey: setting("SERVICE_API_KEY", {
    kind: secret("text", Either.right),
    otherwise: null,
    shown: "none",
    sentence: "The API key that commands send to the server at `EARMARK_BASE_URL`.",
  }),
}
