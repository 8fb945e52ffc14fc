import { createHash, createHmac } from "node:crypto"

export interface SigningKey {
  readonly key: string
  readonly secret: string
  readonly sessionToken?: string | undefined
  readonly region: string
  readonly service: string
}

export interface Signable {
  readonly method: string
  readonly url: URL
  /** Headers to sign beside `host`, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The hash of the body in hexadecimal, or `UNSIGNED-PAYLOAD`. */
  readonly payload: string
  /** The moment as `20130524T000000Z`. */
  readonly datetime: string
}

const UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD"

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()

/** As RFC 3986 has it; `encodeURIComponent` leaves five more characters as they are. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

const canonicalPath = (url: URL): string =>
  url.pathname
    .split("/")
    .map((segment) => encoded(decodeURIComponent(segment)))
    .join("/")

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]): readonly [string, string] => [encoded(name), encoded(value)])
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&")

const scopeOf = ({ region, service }: SigningKey, datetime: string) =>
  `${datetime.slice(0, 8)}/${region}/${service}/aws4_request`

const namesOf = (headers: Readonly<Record<string, string>>) => Object.keys(headers).sort()

const signatureOf = (key: SigningKey, request: Signable): string => {
  const { method, url, headers, payload, datetime } = request
  const names = namesOf(headers)
  const canonical = [
    method,
    canonicalPath(url),
    canonicalQuery(url),
    ...names.map((name) => `${name}:${(headers[name] ?? "").trim().replace(/ +/g, " ")}`),
    "",
    names.join(";"),
    payload,
  ].join("\n")
  const scope = scopeOf(key, datetime)
  const signingKey = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${key.secret}`)
  return createHmac("sha256", signingKey)
    .update(["AWS4-HMAC-SHA256", datetime, scope, sha256(canonical)].join("\n"))
    .digest("hex")
}

/** The headers of the request, with the signature of AWS Signature Version 4 among them. */
export const signHeaders = (key: SigningKey, request: Signable): Readonly<Record<string, string>> => {
  const token = key.sessionToken === undefined ? {} : { "x-amz-security-token": key.sessionToken }
  const headers = { ...request.headers, ...token, "x-amz-date": request.datetime }
  const signed = { ...headers, host: request.url.host }
  const signature = signatureOf(key, { ...request, headers: signed })
  const credential = `${key.key}/${scopeOf(key, request.datetime)}`
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${namesOf(signed).join(";")}, Signature=${signature}`,
  }
}

/** The address with the signature in its query: good for exactly these headers, for so many seconds. */
export const presign = (
  key: SigningKey,
  request: Omit<Signable, "payload">,
  expiresInSeconds: number,
): string => {
  const url = new URL(request.url)
  const headers = { ...request.headers, host: url.host }
  const query = {
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${key.key}/${scopeOf(key, request.datetime)}`,
    "X-Amz-Date": request.datetime,
    "X-Amz-Expires": String(expiresInSeconds),
    "X-Amz-SignedHeaders": namesOf(headers).join(";"),
    ...(key.sessionToken === undefined ? {} : { "X-Amz-Security-Token": key.sessionToken }),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const signature = signatureOf(key, { ...request, url, headers, payload: UNSIGNED_PAYLOAD })
  url.searchParams.set("X-Amz-Signature", signature)
  return url.href
}
