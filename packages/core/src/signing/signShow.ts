import { hmacSha256 } from "./digests.js"

const BYTES = 16

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

/** What the published lists of a feed are found by: the same for an account and a feed every time, and not to be guessed. */
export const signShow = (key: Uint8Array, account: string, feedUrl: string): string =>
  base64Url(hmacSha256(key, `earmark show 1\n${account}\n${feedUrl}`).subarray(0, BYTES))
