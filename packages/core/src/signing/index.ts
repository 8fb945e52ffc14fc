export {
  API_KEY_PATTERN,
  type ApiKey,
  type ApiKeyMode,
  hashApiKey,
  isApiKey,
  makeApiKey,
  parseApiKey,
} from "./ApiKey.js"
export { equalBytes } from "./constantTime.js"
export { signExportLink, verifyExportLink } from "./exportLink.js"
export { mask } from "./mask.js"
export { NotEnoughRandomBytes } from "./NotEnoughRandomBytes.js"
export { type DerivedKeys, deriveKeys, parseSecretsKey, SecretsKeyInvalid } from "./SecretsKey.js"
export { SignatureInvalid } from "./SignatureInvalid.js"
export { SignedAddressInvalid } from "./SignedAddressInvalid.js"
export { keyOfSealed, openSecret, SealBroken, type SealingKey, sealSecret } from "./sealing.js"
export { signShow } from "./signShow.js"
export {
  type StandardWebhookHeaders,
  standardWebhookHeaders,
  verifyStandardWebhook,
} from "./standardWebhooks.js"
export { canonicalUpload, signUpload, type UploadRequest, verifyUpload } from "./uploadSignature.js"
export {
  isWebhookSecret,
  makeWebhookSecret,
  type OldSecret,
  type SigningSecrets,
  secretsInForce,
} from "./WebhookSecret.js"
export { signWebhook, verifyWebhook } from "./webhookSignature.js"
