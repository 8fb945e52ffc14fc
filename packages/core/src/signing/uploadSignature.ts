import * as Either from "effect/Either"
import { bytesOfHex, hexOf } from "./bytes.js"
import { equalBytes } from "./constantTime.js"
import { hmacSha256 } from "./digests.js"
import { SignedAddressInvalid } from "./SignedAddressInvalid.js"

const SIGNATURE = /^[0-9a-f]{64}$/

/** Everything that a presigned upload is bound to. */
export interface UploadRequest {
  readonly method: string
  readonly path: string
  readonly contentType: string
  /** Bytes of the body, exactly. */
  readonly length: number
  readonly account: string
  /** Unix seconds; from then on the address is expired. */
  readonly expiresAt: number
}

/**
 * The text that is signed. No two different requests share one: each field is a JSON value in a list of fixed
 * length, so no field can run into the next, and a lone surrogate is escaped instead of becoming U+FFFD.
 */
export const canonicalUpload = (request: UploadRequest): string =>
  `earmark upload 1\n${JSON.stringify([
    request.method,
    request.path,
    request.contentType,
    request.length,
    request.account,
    request.expiresAt,
  ])}`

const macOf = (key: Uint8Array, request: UploadRequest) => hmacSha256(key, canonicalUpload(request))

/** 64 lower-case hex digits: the signature of an upload with the upload key. */
export const signUpload = (key: Uint8Array, request: UploadRequest): string => hexOf(macOf(key, request))

/** Checks the request that has arrived against the signature in its address. */
export const verifyUpload = (upload: {
  readonly key: Uint8Array
  readonly request: UploadRequest
  readonly signature: string
  /** Unix seconds. */
  readonly now: number
}): Either.Either<UploadRequest, SignedAddressInvalid> => {
  const { request } = upload
  if (!SIGNATURE.test(upload.signature) || !isCount(request.length) || !isCount(request.expiresAt)) {
    return Either.left(new SignedAddressInvalid({ reason: "malformed" }))
  }
  if (!equalBytes(macOf(upload.key, request), bytesOfHex(upload.signature))) {
    return Either.left(new SignedAddressInvalid({ reason: "mismatch" }))
  }
  return upload.now < request.expiresAt
    ? Either.right(request)
    : Either.left(new SignedAddressInvalid({ reason: "expired" }))
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0
