/** Sign-in of people, grants and tokens for their apps. A host mounts it and says who asks from where. */
export {
  type Addresses,
  addressesOf,
  CONNECTOR_PATH,
  RESOURCE_METADATA_PATH,
  SIGN_IN_PATH,
} from "./addresses.js"
export { readWhole } from "./readWhole.js"
export { APP_SCOPES } from "./scopes.js"
export { type AuthorizationFacts, makeServing } from "./serving.js"
export * as SignInOpenId from "./signIn/SignInOpenId.js"
export { storedId } from "./tokenId.js"
export { makeIssuedTokens } from "./tokens/issuedTokens.js"
export { makeOwnTokens } from "./tokens/ownTokens.js"
export { IssuerAway, type Presented, TokenRefused } from "./tokens/Verified.js"
