/** Sends a body as a whole: browsers stream one over HTTP/2 only, and their `fetch` does not say how far it is. */

interface WholeRequest {
  readonly url: string
  readonly contentType: string
  readonly body: Blob
  readonly signal: AbortSignal
  /** Told how many bytes have gone out. */
  readonly onSent: (sent: number) => void
}

export interface SendWhole {
  /** Whether `onSent` is told before the end. */
  readonly tellsProgress: boolean
  readonly send: (request: WholeRequest) => Promise<Response>
}

interface Progress {
  readonly loaded: number
}

/** What is used of an XMLHttpRequest. */
interface BrowserRequest {
  readonly upload: { onprogress: (event: Progress) => void; onload: (event: Progress) => void }
  readonly status: number
  readonly responseText: string
  onload: () => void
  onerror: () => void
  onabort: () => void
  readonly open: (method: string, url: string) => void
  readonly setRequestHeader: (name: string, value: string) => void
  readonly getAllResponseHeaders: () => string
  readonly send: (body: Blob) => void
  readonly abort: () => void
}

type MakeRequest = new () => BrowserRequest

const isMaker = (value: unknown): value is MakeRequest => typeof value === "function"

/** The answer, as `fetch` would give it. */
const answerOf = (request: BrowserRequest): Response => {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().split("\r\n")) {
    const at = line.indexOf(":")
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  const { status, responseText } = request
  return new Response(responseText === "" ? null : responseText, { status, headers })
}

const throughRequest =
  (Request: MakeRequest): SendWhole["send"] =>
  ({ url, contentType, body, signal, onSent }) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const request = new Request()
      const stop = () => request.abort()
      const end = (settle: () => void) => () => {
        signal.removeEventListener("abort", stop)
        settle()
      }
      request.upload.onprogress = request.upload.onload = ({ loaded }) => onSent(loaded)
      request.onload = end(() => resolve(answerOf(request)))
      request.onerror = end(() => reject(new TypeError("The network failed")))
      request.onabort = end(() => reject(signal.reason))
      signal.addEventListener("abort", stop, { once: true })
      request.open("PUT", url)
      request.setRequestHeader("Content-Type", contentType)
      request.send(body)
    })

const throughFetch =
  (fetch: typeof globalThis.fetch): SendWhole["send"] =>
  async ({ url, contentType, body, signal, onSent }) => {
    const headers = { "Content-Type": contentType }
    const answer = await fetch(url, { method: "PUT", headers, body, redirect: "manual", signal })
    onSent(body.size)
    return answer
  }

const isNode = (): boolean => typeof process !== "undefined" && process.versions?.node !== undefined

/** How bodies go out here; null where `fetch` streams them. `isOwn`: it is the `fetch` of this place, and may be left aside. */
export const sendWholeOf = (fetch: typeof globalThis.fetch, isOwn: boolean): SendWhole | null => {
  const Request: unknown = Reflect.get(globalThis, "XMLHttpRequest")
  if (isMaker(Request) && isOwn) return { tellsProgress: true, send: throughRequest(Request) }
  return isNode() ? null : { tellsProgress: false, send: throughFetch(fetch) }
}
