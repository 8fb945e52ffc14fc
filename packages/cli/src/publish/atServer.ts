/** Publishing at the addresses of a server. */
import type { EarmarkClient } from "@earmark/api/client"
import { Effect } from "effect"
import type { CommandFailed } from "../CommandFailed.js"
import { askTarget } from "../remote/ask.js"
import type { Target } from "../remote/keys.js"

export type Publication = Awaited<ReturnType<EarmarkClient["transcriptions"]["publish"]>>

const AT_ONCE = 4

/** Publishes each of them, and answers where. */
export const publishAll = (
  target: Target,
  ids: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<Publication>, CommandFailed> =>
  Effect.forEach(
    ids,
    (id) => askTarget(target, (client, { signal }) => client.transcriptions.publish(id, {}, { signal })),
    { concurrency: AT_ONCE },
  )

/** Takes each of them back, and answers which were public. */
export const takeBackAll = (
  target: Target,
  ids: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>, CommandFailed> =>
  Effect.map(
    Effect.forEach(
      ids,
      (id) =>
        askTarget(target, async (client, { signal }) => {
          const isPublic = await client.transcriptions.publication(id, { signal }).then(
            () => true,
            // Unknown ids are refused by what follows.
            () => false,
          )
          await client.transcriptions.unpublish(id, { signal })
          return isPublic ? [id] : []
        }),
      { concurrency: AT_ONCE },
    ),
    (taken) => taken.flat(),
  )

export const linesOf = ({ tags }: Publication): ReadonlyArray<string> =>
  tags.chapters === null ? tags.transcripts : [...tags.transcripts, tags.chapters]

/** What the addresses of everything published there begin with. */
export const placeOf = ([first]: ReadonlyArray<Publication>): string | null => {
  const url = first?.files[0]?.url
  return url === undefined ? null : url.slice(0, url.lastIndexOf("/p/") + "/p/".length)
}
