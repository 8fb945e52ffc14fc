import { request } from "node:http"
import type { EarmarkServer } from "../../servers/earmarkServer.js"

export interface ServerEvent {
  readonly id: string
  readonly event: string
  // Whatever it is, a test says what it must be.
  readonly data: Record<string, unknown>
}

export interface EventStream {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Everything that came, as it came. */
  readonly text: () => string
  readonly events: () => ReadonlyArray<ServerEvent>
  /** Waits until an event is there that is as asked; null when the stream ends before. */
  readonly until: (test: (event: ServerEvent) => boolean) => Promise<ServerEvent | null>
  /** Ends when the server does; false when the connection was cut. */
  readonly ended: Promise<boolean>
  readonly leave: () => void
}

const field = (block: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1]

const eventsIn = (text: string): ReadonlyArray<ServerEvent> =>
  text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => {
      const data = field(block, "data")
      return data === undefined
        ? []
        : [{ id: field(block, "id") ?? "", event: field(block, "event") ?? "", data: JSON.parse(data) }]
    })

/** Follows a job as a program without a library for it would. */
export const follow = (
  { baseUrl, key }: Pick<EarmarkServer, "baseUrl" | "key">,
  id: unknown,
  headers: Readonly<Record<string, string>> = {},
) =>
  new Promise<EventStream>((resolve, reject) => {
    const asked = request(`${baseUrl}/api/v1/transcriptions/${id}/events`, {
      headers: { Authorization: `Bearer ${key}`, ...headers },
      agent: false,
    })
    asked.on("error", reject)
    asked.on("response", (response) => {
      let text = ""
      const watchers = new Set<() => void>()
      const look = () => {
        for (const watcher of [...watchers]) watcher()
      }
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece
        look()
      })
      const ended = new Promise<boolean>((end) => {
        response.on("error", () => {})
        response.on("close", () => {
          end(response.complete)
          look()
        })
      })
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        events: () => eventsIn(text),
        until: (test) =>
          new Promise((found) => {
            const watcher = () => {
              const event = eventsIn(text).find(test)
              if (event === undefined && !response.closed) return
              watchers.delete(watcher)
              found(event ?? null)
            }
            watchers.add(watcher)
            watcher()
          }),
        ended,
        leave: () => response.destroy(),
      })
    })
    asked.end()
  })
