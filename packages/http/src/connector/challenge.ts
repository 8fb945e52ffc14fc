import { type Addresses, APP_SCOPES } from "@earmark/authorization"

/** How an app comes by a token (RFC 6750, RFC 9728). All of the everyday scopes at once: some apps can never ask for more later. */
export const challengeOf = ({ resourceMetadata }: Addresses, why: string | null): string => {
  const parts = [
    ...(why === null ? [] : ['error="invalid_token"', `error_description="${why}"`]),
    `resource_metadata="${resourceMetadata}"`,
    `scope="${APP_SCOPES.join(" ")}"`,
  ]
  return `Bearer ${parts.join(", ")}`
}
