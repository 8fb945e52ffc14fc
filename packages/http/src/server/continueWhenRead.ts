import type { IncomingMessage, ServerResponse } from "node:http"

/** Who asks before the body is sent hears yes when somebody begins to read it. What is refused is refused before it was sent. */
export const continueWhenRead = (request: IncomingMessage, response: ServerResponse): void => {
  const read = request._read
  request._read = (size) => {
    request._read = read
    if (!response.headersSent) response.writeContinue()
    read.call(request, size)
  }
}
