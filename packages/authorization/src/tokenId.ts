import { createHash } from "node:crypto"

/** Models whose ids open something: they are kept as hashes. */
const SECRET: ReadonlyArray<string> = [
  "AccessToken",
  "AuthorizationCode",
  "InitialAccessToken",
  "RefreshToken",
  "RegistrationAccessToken",
  "PushedAuthorizationRequest",
]

export const isSecretId = (model: string): boolean => SECRET.includes(model)

/** The id that a record is kept under. What opens something is nowhere in the store. */
export const storedId = (model: string, id: string): string =>
  isSecretId(model) ? createHash("sha256").update(`${model} ${id}`).digest("base64url") : id
