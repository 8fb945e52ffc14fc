// The client in a page: a file that somebody chose, with a bar that fills and a button that stops it.
import { EarmarkClient } from "@earmark/api/client"

interface Page {
  readonly baseUrl: string
  readonly apiKey: string
  /** What `input.files[0]` holds. */
  readonly file: Blob
  /** Draws how much of it is there, from 0 to 1. */
  readonly draw: (part: number) => void
  /** Ends when somebody presses the button. */
  readonly signal: AbortSignal
}

// #region upload
export const send = async ({ baseUrl, apiKey, file, draw, signal }: Page) => {
  const earmark = new EarmarkClient({ baseUrl, apiKey })
  return await earmark.upload(file, {
    signal,
    onProgress: ({ sent, total }) => draw(sent / total),
  })
}
// #endregion
