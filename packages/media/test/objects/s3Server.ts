import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"

/** What the server knows of its only customer. */
export const customer = {
  key: "AKIAIOSFODNN7EXAMPLE",
  secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "eu-central-1",
  bucket: "uploads-bucket",
}

interface Held {
  readonly bytes: Buffer
  readonly contentType: string
  readonly etag: string
}

const digest = (algorithm: string, data: Buffer | string) => createHash(algorithm).update(data).digest("hex")

const escaped = (text: string) =>
  [...Buffer.from(text, "utf8")]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      return /[A-Za-z0-9._~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
    })
    .join("")

interface Claims {
  readonly credential: string
  readonly signedHeaders: ReadonlyArray<string>
  readonly signature: string
  readonly datetime: string
  readonly payload: string
  readonly expires: number | null
}

const claimsOf = (request: IncomingMessage, query: URLSearchParams): Claims | null => {
  const header = (name: string) => String(request.headers[name] ?? "")
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header("authorization"),
    )
  if (found !== null) {
    const [, credential = "", signed = "", signature = ""] = found
    return {
      credential,
      signedHeaders: signed.split(";"),
      signature,
      datetime: header("x-amz-date"),
      payload: header("x-amz-content-sha256"),
      expires: null,
    }
  }
  const signature = query.get("X-Amz-Signature")
  if (signature === null) return null
  return {
    credential: query.get("X-Amz-Credential") ?? "",
    signedHeaders: (query.get("X-Amz-SignedHeaders") ?? "").split(";"),
    signature,
    datetime: query.get("X-Amz-Date") ?? "",
    payload: "UNSIGNED-PAYLOAD",
    expires: Number(query.get("X-Amz-Expires")),
  }
}

/** The signature that a request should bear, worked out from the request as it arrived. */
export const expectedSignature = (
  request: { readonly method: string; readonly target: string; readonly header: (name: string) => string },
  claims: Claims,
  secret: string,
): string => {
  const [path = "", search = ""] = request.target.split("?")
  const pairs = search
    .split("&")
    .filter((pair) => pair !== "" && !pair.startsWith("X-Amz-Signature="))
    .map((pair) => pair.split("=").map((part) => escaped(decodeURIComponent(part.replaceAll("+", " ")))))
    .map(([name = "", value = ""]) => `${name}=${value}`)
    .sort()
  const canonical = `${request.method}\n${path
    .split("/")
    .map((part) => escaped(decodeURIComponent(part)))
    .join(
      "/",
    )}\n${pairs.join("&")}\n${claims.signedHeaders.map((name) => `${name}:${request.header(name).trim()}\n`).join("")}\n${claims.signedHeaders.join(";")}\n${claims.payload}`
  const [, date = "", region = "", service = ""] = claims.credential.split("/")
  const step = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()
  const signingKey = step(step(step(step(`AWS4${secret}`, date), region), service), "aws4_request")
  const text = `AWS4-HMAC-SHA256\n${claims.datetime}\n${date}/${region}/${service}/aws4_request\n${digest("sha256", canonical)}`
  return createHmac("sha256", signingKey).update(text).digest("hex")
}

const momentOf = (datetime: string) =>
  Date.parse(datetime.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"))

export interface S3State {
  readonly objects: Map<string, Held>
  readonly uploads: Map<string, Map<number, Held>>
  readonly requests: Array<string>
  /** Requests that get the error 503 before the server is well again. */
  failures: number
  /** Answers to GET that break off after half of their bytes. */
  breaks: number
  /** Large objects are only counted, so that the memory that is measured is that of the client. */
  readonly forgetsBytes: boolean
}

export const newState = (forgetsBytes = false): S3State => ({
  objects: new Map(),
  uploads: new Map(),
  requests: [],
  failures: 0,
  breaks: 0,
  forgetsBytes,
})

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code)
  }
}

const check = (request: IncomingMessage, query: URLSearchParams, body: Buffer): void => {
  const claims = claimsOf(request, query)
  if (claims === null) throw new Refusal(403, "AccessDenied")
  const [key, , region, service, end] = claims.credential.split("/")
  if (key !== customer.key) throw new Refusal(403, "InvalidAccessKeyId")
  if (region !== customer.region || service !== "s3" || end !== "aws4_request") {
    throw new Refusal(400, "AuthorizationHeaderMalformed")
  }
  const header = (name: string) => String(request.headers[name] ?? "")
  const wanted = expectedSignature(
    { method: request.method ?? "", target: request.url ?? "", header },
    claims,
    customer.secret,
  )
  if (!timingSafeEqual(Buffer.from(wanted), Buffer.from(claims.signature))) {
    throw new Refusal(403, "SignatureDoesNotMatch")
  }
  if (!claims.signedHeaders.includes("host")) throw new Refusal(403, "AccessDenied")
  const unsigned = Object.keys(request.headers).filter(
    (name) => name.startsWith("x-amz-") && !claims.signedHeaders.includes(name),
  )
  if (unsigned.length > 0) throw new Refusal(403, "AccessDenied")
  const age = Date.now() - momentOf(claims.datetime)
  if (claims.expires !== null && !(age < claims.expires * 1000)) throw new Refusal(403, "AccessDenied")
  if (claims.expires === null && !(Math.abs(age) < 900_000)) throw new Refusal(403, "RequestTimeTooSkewed")
  if (claims.payload !== "UNSIGNED-PAYLOAD" && claims.payload !== digest("sha256", body)) {
    throw new Refusal(400, "XAmzContentSHA256Mismatch")
  }
}

const quoted = (etag: string) => `"${etag}"`

const rangeOf = (header: string | undefined, length: number): readonly [number, number] | null => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(header ?? "") ?? []
  if (from === undefined) return null
  const end = to === undefined || to === "" ? length : Math.min(length, Number(to) + 1)
  if (Number(from) >= length) throw new Refusal(416, "InvalidRange")
  return [Number(from), end]
}

const held = (state: S3State, body: Buffer, contentType: string): Held => ({
  bytes: state.forgetsBytes ? Buffer.alloc(0) : body,
  contentType,
  etag: digest("md5", body),
})

const store = (state: S3State, request: IncomingMessage, key: string, object: Held): void => {
  if (request.headers["if-none-match"] === "*" && state.objects.has(key))
    throw new Refusal(412, "PreconditionFailed")
  state.objects.set(key, object)
}

const uploadIn = (state: S3State, id: string) => {
  const upload = state.uploads.get(id)
  if (upload === undefined) throw new Refusal(404, "NoSuchUpload")
  return upload
}

const complete = (
  state: S3State,
  request: IncomingMessage,
  key: string,
  id: string,
  body: Buffer,
): string => {
  const parts = uploadIn(state, id)
  const named = [
    ...body
      .toString("utf8")
      .matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;([0-9a-f]+)&quot;<\/ETag>/g),
  ]
  const chosen = named.map(([, number, etag]) => {
    const part = parts.get(Number(number))
    if (part === undefined || part.etag !== etag) throw new Refusal(400, "InvalidPart")
    return part
  })
  if (chosen.length === 0) throw new Refusal(400, "MalformedXML")
  const etag = `${digest("md5", Buffer.concat(chosen.map(({ etag }) => Buffer.from(etag, "hex"))))}-${chosen.length}`
  const bytes = Buffer.concat(chosen.map(({ bytes }) => bytes))
  store(state, request, key, { bytes, contentType: parts.get(0)?.contentType ?? "", etag })
  state.uploads.delete(id)
  return etag
}

const get = (state: S3State, request: IncomingMessage, response: ServerResponse, key: string): void => {
  const object = state.objects.get(key)
  if (object === undefined) throw new Refusal(404, "NoSuchKey")
  const wanted = request.headers["if-match"]
  if (wanted !== undefined && wanted !== quoted(object.etag)) throw new Refusal(412, "PreconditionFailed")
  const range = rangeOf(request.headers.range, object.bytes.length)
  const [from, end] = range ?? [0, object.bytes.length]
  response.writeHead(range === null ? 200 : 206, {
    "content-type": object.contentType,
    "content-length": end - from,
    etag: quoted(object.etag),
    ...(range === null ? {} : { "content-range": `bytes ${from}-${end - 1}/${object.bytes.length}` }),
  })
  if (request.method === "HEAD") response.end()
  else if (state.breaks > 0) {
    state.breaks -= 1
    const half = object.bytes.subarray(from, from + Math.ceil((end - from) / 2))
    response.write(half, () => setTimeout(() => response.destroy(), 50))
  } else response.end(object.bytes.subarray(from, end))
}

const put = (
  state: S3State,
  request: IncomingMessage,
  query: URLSearchParams,
  key: string,
  body: Buffer,
): string => {
  const object = held(state, body, request.headers["content-type"] ?? "")
  const id = query.get("uploadId")
  if (id === null) store(state, request, key, object)
  else uploadIn(state, id).set(Number(query.get("partNumber")), object)
  return object.etag
}

const post = (
  state: S3State,
  request: IncomingMessage,
  query: URLSearchParams,
  key: string,
  body: Buffer,
): string => {
  const id = query.get("uploadId")
  if (id !== null) {
    return `<CompleteMultipartUploadResult><ETag>&quot;${complete(state, request, key, id, body)}&quot;</ETag></CompleteMultipartUploadResult>`
  }
  if (!query.has("uploads")) throw new Refusal(400, "InvalidRequest")
  const upload = digest("sha256", `${key}${state.uploads.size}${state.requests.length}`)
  state.uploads.set(
    upload,
    new Map([[0, held(state, Buffer.alloc(0), request.headers["content-type"] ?? "")]]),
  )
  return `<InitiateMultipartUploadResult><UploadId>${upload}</UploadId></InitiateMultipartUploadResult>`
}

const handle = (state: S3State, request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
  const url = new URL(request.url ?? "/", "http://s3.test")
  state.requests.push(`${request.method} ${url.pathname}`)
  if (state.failures > 0) {
    state.failures -= 1
    throw new Refusal(503, "SlowDown")
  }
  check(request, url.searchParams, body)
  const isInHost = (request.headers.host ?? "").startsWith(`${customer.bucket}.`)
  const prefix = isInHost ? "/" : `/${customer.bucket}/`
  const at = url.pathname.indexOf(prefix)
  if (at < 0) throw new Refusal(404, "NoSuchBucket")
  const key = url.pathname.slice(at + prefix.length)
  if (request.method === "HEAD" && key === "") response.writeHead(200).end()
  else if (request.method === "GET" || request.method === "HEAD") get(state, request, response, key)
  else if (request.method === "PUT") {
    const etag = quoted(put(state, request, url.searchParams, key, body))
    response.writeHead(200, { etag }).end()
  } else if (request.method === "POST") {
    const document = post(state, request, url.searchParams, key, body)
    response.writeHead(200).end(document)
  } else {
    const upload = url.searchParams.get("uploadId")
    if (upload === null) state.objects.delete(key)
    else state.uploads.delete(upload)
    response.writeHead(204).end()
  }
}

/** A server with the part of the S3 protocol that we use, written from its public description. It checks every signature. */
export const s3Listener =
  (state: S3State): RequestListener =>
  (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      try {
        handle(state, request, response, Buffer.concat(chunks))
      } catch (error) {
        const refusal = error instanceof Refusal ? error : new Refusal(500, "InternalError")
        response.writeHead(refusal.status).end(`<Error><Code>${refusal.code}</Code></Error>`)
      }
    })
  }
