/** Server-sent events, read by the rules of the HTML standard. */

export interface ServerSentEvent {
  /** `message` unless the event has a name. */
  readonly event: string
  readonly data: string
  /** The last id that the stream has given. */
  readonly id: string | undefined
}

const LINE_END = /\r\n|\n|\r/
/** Far more than any event of the service. */
const LONGEST_EVENT = 16 * 1024 * 1024

class EventTooLong extends Error {}

const fieldOf = (line: string): readonly [string, string] => {
  const colon = line.indexOf(":")
  if (colon < 0) return [line, ""]
  const value = line.slice(colon + 1)
  return [line.slice(0, colon), value.startsWith(" ") ? value.slice(1) : value]
}

/** The events of a stream of bytes, however it is cut into chunks. An event that is cut off at the end is none. */
export const serverSentEvents = async function* (
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void> {
  // Takes a byte order mark away, and keeps half a character for the next chunk.
  const decoder = new TextDecoder()
  let rest = ""
  let event = ""
  let data: Array<string> = []
  let id: string | undefined
  let length = 0

  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true })
    // A carriage return at the end may be half of a line end.
    const until = text.endsWith("\r") ? text.length - 1 : text.length
    const lines = text.slice(0, until).split(LINE_END)
    rest = (lines.pop() ?? "") + text.slice(until)
    if (rest.length + length > LONGEST_EVENT) throw new EventTooLong("An event is too long")
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield { event: event === "" ? "message" : event, data: data.join("\n"), id }
        event = ""
        data = []
        length = 0
        continue
      }
      const [name, value] = fieldOf(line)
      length += line.length
      if (name === "event") event = value
      else if (name === "data") data.push(value)
      else if (name === "id" && !value.includes("\0")) id = value
    }
  }
}
