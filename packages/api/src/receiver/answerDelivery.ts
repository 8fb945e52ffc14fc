import { receiveWebhook, type WebhookEvent } from "./receiveWebhook.js"

/** The longest body that is read. */
const MOST_BYTES = 10_000_000

/** A request as a server of Node gives it: its body is what it is made of. */
export interface DeliveryRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

export interface Receiving {
  /** Of the endpoint; undefined while it is not registered yet. */
  readonly secret: () => string | undefined
  /** Told of an event whose delivery is genuine, with the body as it came. */
  readonly onEvent: (event: WebhookEvent, body: string) => void
  readonly onRefused: (why: string) => void
}

const bodyOf = async (request: DeliveryRequest): Promise<Uint8Array | undefined> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/** Takes a delivery; answers the status for it: 200 for one that is genuine, 400 for any other. */
export const answerDelivery = async (
  request: DeliveryRequest,
  { secret: secretOf, onEvent, onRefused }: Receiving,
): Promise<200 | 400> => {
  const body = await bodyOf(request)
  const secret = secretOf()
  if (request.method !== "POST" || body === undefined || secret === undefined) return 400
  const signature = request.headers["service-signature"]
  try {
    const event = receiveWebhook({
      body,
      signature: typeof signature === "string" ? signature : null,
      secret,
    })
    onEvent(event, new TextDecoder().decode(body))
    return 200
  } catch (error) {
    onRefused(error instanceof Error ? error.message : String(error))
    return 400
  }
}
