import { APP_REGISTRATIONS } from "@earmark/core/requests"
import { Either } from "effect"
import { choice, issuer, onOrOff, rate, secret, subjects, text, wholeNumber } from "./kinds.js"
import { setting } from "./Setting.js"

/** How apps and agents come in. */
export const agents = {
  mcpSessions: setting("EARMARK_MCP_SESSIONS", {
    kind: onOrOff,
    otherwise: true,
    shown: "on",
    sentence:
      "Whether agents of older protocol versions get sessions; off where several processes answer without affinity.",
  }),
  mcpSaveFolder: setting("EARMARK_MCP_SAVE_FOLDER", {
    kind: text,
    otherwise: null,
    shown: "`Downloads` in the home folder",
    sentence:
      "The folder, as an absolute path, where `export_transcript` of `earmark mcp` creates files; `earmark serve` does not use it.",
  }),
  mcpIssuer: setting("EARMARK_MCP_ISSUER", {
    kind: issuer,
    otherwise: null,
    shown: "the service itself",
    sentence: "The authorization server whose tokens agents use, instead of the built-in one.",
  }),
  rateLimitRegistrations: setting("EARMARK_RATE_LIMIT_REGISTRATIONS", {
    kind: rate,
    otherwise: APP_REGISTRATIONS,
    shown: "200/3600s:200",
    sentence:
      "How many apps may register from one address. Hosted agents register for many people from a few addresses.",
  }),
  signInIssuer: setting("EARMARK_SIGNIN_ISSUER", {
    kind: issuer,
    otherwise: null,
    shown: "none: people paste an API key",
    sentence:
      "The OpenID Connect provider where people sign in, to the console and when an app asks for their account.",
  }),
  signInClientId: setting("EARMARK_SIGNIN_CLIENT_ID", {
    kind: text,
    otherwise: null,
    shown: "none",
    sentence: "The client id of Earmark at that provider.",
  }),
  signInClientSecret: setting("EARMARK_SIGNIN_CLIENT_SECRET", {
    kind: secret("text", Either.right),
    otherwise: null,
    shown: "none",
    sentence: "The client secret of Earmark at that provider, if it has one.",
  }),
  signInAccounts: setting("EARMARK_SIGNIN_ACCOUNTS", {
    kind: choice("linked", "new"),
    otherwise: "linked",
    sentence:
      "Who may sign in through a provider: only people whose account was linked with `earmark accounts link`, or everybody, with a new account.",
  }),
  operators: setting("EARMARK_OPERATORS", {
    kind: subjects,
    otherwise: [],
    shown: "none",
    sentence:
      "Who operates the server in the console when they sign in through that provider: their subjects (`sub`), comma-separated.",
  }),
  proxies: setting("EARMARK_PROXIES", {
    kind: wholeNumber(0, 10),
    otherwise: 0,
    sentence:
      "The number of your own proxies in front of Earmark: limits by address then count the client address that the outermost proxy saw.",
  }),
}
