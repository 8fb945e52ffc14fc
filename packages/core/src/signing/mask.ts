const HIDDEN = "***"

/** A query is hidden whole when it carries a signature, ours or that of an object store. */
const SIGNED_QUERY = /(?:signature|sig|token)(?:=|%3d)/i

/**
 * The text with every secret in it replaced by `***`: webhook secrets, API keys, authorization values, signatures of
 * deliveries, logins in addresses and the query of presigned addresses. For logs: hides rather too much than too little.
 */
export const mask = (text: string): string =>
  text
    .replace(/whsec_[\w+/=-]+/g, `whsec_${HIDDEN}`)
    .replace(/em_(live|test)_[0-9A-Za-z]+/g, `em_$1_${HIDDEN}`)
    .replace(/\b(bearer|basic)(\s+|%20|\+)[\w.~+/=-]+/gi, `$1$2${HIDDEN}`)
    .replace(/\bv1([=,])[\w+/=-]{43,}/g, `v1$1${HIDDEN}`)
    .replace(/:\/\/[^\s/?#@"'<>\\]{1,1024}@/g, `://${HIDDEN}@`)
    .replace(/\?[^\s"'<>\\#]+/g, (query) => (SIGNED_QUERY.test(query) ? `?${HIDDEN}` : query))
