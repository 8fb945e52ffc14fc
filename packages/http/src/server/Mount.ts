import type { IncomingMessage, ServerResponse } from "node:http"
import type { Effect } from "effect"

/** A part of the host that answers by itself, beside the routes that are declared. */
export interface Mount {
  readonly owns: (path: string) => boolean
  /** Ends when the answer has ended, or its client is gone. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Effect.Effect<void>
}

type Handle = Mount["answer"]

export const pathOf = ({ url = "/" }: IncomingMessage): string => url.split("?", 1).join("")

/** The mounts first, then everything else. */
export const withMounts =
  (mounts: ReadonlyArray<Mount>, otherwise: Handle): Handle =>
  (request, response) => {
    const path = pathOf(request)
    const mount = mounts.find(({ owns }) => owns(path))
    return mount === undefined ? otherwise(request, response) : mount.answer(request, response)
  }
