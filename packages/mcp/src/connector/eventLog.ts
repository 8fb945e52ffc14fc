import { randomUUID } from "node:crypto"
import type { EventStore } from "@modelcontextprotocol/server"

/** How many messages a session keeps for a client that lost its connection. */
const KEPT = 500

type Message = Parameters<EventStore["storeEvent"]>[1]

interface Logged {
  readonly id: string
  readonly stream: string
  readonly message: Message
}

/** The last messages of a session, each under an id that only those know who received it. */
export const makeEventLog = (): EventStore => {
  const log: Array<Logged> = []
  const at = (id: string) => log.findIndex((event) => event.id === id)

  return {
    storeEvent: async (stream, message) => {
      const id = randomUUID()
      log.push({ id, stream, message })
      if (log.length > KEPT) log.shift()
      return id
    },
    getStreamIdForEventId: async (id) => log[at(id)]?.stream,
    replayEventsAfter: async (last, { send }) => {
      const from = at(last)
      const stream = log[from]?.stream ?? ""
      for (const event of log.slice(from + 1)) {
        // A stream begins with an event without a message.
        if (event.stream === stream && Object.keys(event.message).length > 0)
          await send(event.id, event.message)
      }
      return stream
    },
  }
}
