/** Every address of the authorization server and of what it protects. All come from the base address alone. */
export interface Addresses {
  readonly issuer: string
  /** What tokens are for (RFC 8707). */
  readonly resource: string
  readonly resourceMetadata: string
  /** Where a provider sends people back to who signed in there. */
  readonly signIn: string
  readonly host: string
  readonly isSecure: boolean
}

export const CONNECTOR_PATH = "/api/mcp"

export const SIGN_IN_PATH = "/oauth/sign-in"

export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource"

export const addressesOf = (baseUrl: string): Addresses => {
  const { host, protocol } = new URL(baseUrl)
  return {
    issuer: baseUrl,
    resource: `${baseUrl}${CONNECTOR_PATH}`,
    resourceMetadata: `${baseUrl}${RESOURCE_METADATA_PATH}${CONNECTOR_PATH}`,
    signIn: `${baseUrl}${SIGN_IN_PATH}`,
    host,
    isSecure: protocol === "https:",
  }
}
