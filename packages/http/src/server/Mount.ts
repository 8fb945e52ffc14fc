import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect } from "effect"
import { BODY_WITHIN } from "../requests/readBody.js"
import { endLate } from "./endLate.js"
import type { makeNote } from "./note.js"

/** A part of the host that answers by itself, beside the routes that are declared. */
export interface Mount {
  readonly owns: (path: string, request: IncomingMessage) => boolean
  /** What its answers are counted as. */
  readonly route: string
  /** Ends when the answer has ended, or its client is gone. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Effect.Effect<void>
}

type Handle = Mount["answer"]

export const pathOf = ({ url = "/" }: IncomingMessage): string => url.split("?", 1).join("")

interface Around {
  readonly baseUrl: string
  readonly note: ReturnType<typeof makeNote>
  /** How long a body may take. */
  readonly bodyMilliseconds?: number
}

/** The mounts first, which are counted like everything else, and have the same deadline for bodies. */
export const withMounts =
  (
    mounts: ReadonlyArray<Mount>,
    { baseUrl, note, bodyMilliseconds = BODY_WITHIN }: Around,
    otherwise: Handle,
  ): Handle =>
  (request, response) => {
    const path = pathOf(request)
    const mount = mounts.find(({ owns }) => owns(path, request))
    if (mount === undefined) return otherwise(request, response)
    endLate(request, response, { baseUrl, milliseconds: bodyMilliseconds })
    const [began, { route }] = [performance.now(), mount]
    const over = Effect.suspend(() => note({ request, response, route, began, account: undefined }))
    return Effect.ensuring(mount.answer(request, response), over)
  }
