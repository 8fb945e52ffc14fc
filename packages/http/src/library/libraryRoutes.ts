/** What a page asks of the library of a machine: the operations of the wire that a library has, over its desk. */
import { randomBytes } from "node:crypto"
import { KeylessApi } from "@earmark/api"
import type { LibraryDesk } from "@earmark/batch"
import { PEAKS_PER_SECOND, peaksTo } from "@earmark/core/audio"
import { type JsonOperationId, operations } from "@earmark/core/operations"
import { signExportLink, verifyExportLink } from "@earmark/core/signing"
import { MEDIA_LINK_SECONDS, type MediaLink, type WaveformQuery } from "@earmark/core/wire"
import { Customers, identityOf, type ToldProblem } from "@earmark/service"
import { Clock, DateTime, Effect, Stream } from "effect"
import { jsonReply } from "../answers/Reply.js"
import { answerOf } from "../answers/refusalOf.js"
import type { SlotLimits } from "../requests/Slots.js"
import { compressed } from "../routes/compressed.js"
import { withEtag } from "../routes/conditional.js"
import { accountText, jobText, makeEventReply } from "../routes/events.js"
import { bytesReply, fileReply } from "../routes/files.js"
import { mediaReply } from "../routes/media.js"
import { open } from "../routes/page.js"
import { type Request, type Route, routeAnswering, routeReplying } from "../routes/Route.js"

const told = <A>(work: Effect.Effect<A, ToldProblem>) => Effect.mapError(work, answerOf)

const fresh = <Answer>(work: Effect.Effect<Answer, ToldProblem>) =>
  Effect.map(told(work), (answer) => ({ answer, replayed: false }))

/** An operation whose answer a library has as it is sent. */
const asSent = <Id extends JsonOperationId>(
  id: Id,
  run: (request: Request<Id>) => Effect.Effect<unknown, ToldProblem>,
): Route => {
  const [status] = Object.keys(operations[id].answers)
  return routeReplying(id, (request: Request<Id>) =>
    Effect.map(told(run(request)), (answer) => jsonReply(Number(status), answer)),
  )
}

/** Larger answers, which are not sent again where the page has them. */
const kept = (route: Route): Route => compressed(withEtag(route))

const PLAYED = /^\/media\/library\/(tr_[0-9a-z]{26})\/recording\?/

/** The part of a waveform that is asked for. */
const partOf = (peaks: Uint8Array, { from = 0, to, points }: WaveformQuery): Uint8Array => {
  const placeOf = (milliseconds: number) => (milliseconds * PEAKS_PER_SECOND) / 1000
  const end = to === undefined ? peaks.length : Math.max(placeOf(to), placeOf(from))
  return peaksTo(peaks, { from: placeOf(from), to: end, points })
}

/** Every revision is on the one page that there is. */
const onePage = <Item>(data: ReadonlyArray<Item>) => ({ data, hasMore: false, nextCursor: null })

interface Facts {
  readonly baseUrl: string
  readonly slots: SlotLimits
}

/** The routes over a desk. Addresses of recordings are good as long as this process. */
export const libraryRoutes = Effect.fnUntraced(function* (desk: LibraryDesk, { baseUrl, slots }: Facts) {
  const key = randomBytes(32)
  const replyWithEvents = yield* makeEventReply(baseUrl, slots)
  const customers = yield* Customers
  const features = { translation: desk.canTranslate, autoReload: false }

  const link = (id: string) =>
    Effect.gen(function* () {
      const { contentType, bytes, durationSeconds, hasExactSeek } = yield* desk.recording(id)
      const { address, expiresAt } = signExportLink({
        key,
        address: `/media/library/${id}/recording`,
        now: (yield* Clock.currentTimeMillis) / 1000,
        lifetimeSeconds: MEDIA_LINK_SECONDS,
      })
      const made: MediaLink = {
        url: `${baseUrl}${address}`,
        contentType,
        bytes,
        durationSeconds,
        exactSeek: hasExactSeek,
        expiresAt: DateTime.unsafeMake(expiresAt * 1000),
      }
      return made
    })

  const recordingAt = Effect.fnUntraced(function* (address: string) {
    yield* verifyExportLink({ key, address, now: (yield* Clock.currentTimeMillis) / 1000 })
    // What is signed is what `link` wrote.
    return yield* told(desk.recording(PLAYED.exec(address)?.[1] ?? ""))
  })

  return [
    kept(asSent("transcriptions.list", ({ query }) => desk.list(query))),
    routeAnswering("transcriptions.counts", () => fresh(desk.counts)),
    kept(asSent("transcriptions.get", ({ path, query }) => desk.get(path.id, query))),
    kept(routeAnswering("transcriptions.words", ({ path }) => fresh(desk.words(path.id)))),
    asSent("transcriptions.update", ({ path, body }) => desk.update(path.id, body)),
    routeAnswering("transcriptions.delete", ({ path }) => fresh(Effect.as(desk.remove(path.id), undefined))),
    kept(asSent("transcriptions.search", ({ path, query }) => desk.search(path.id, query))),
    kept(asSent("transcriptions.searchAll", ({ query }) => desk.searchAll(query))),
    asSent("transcriptions.ask", ({ path, body }) => desk.ask(path.id, body.question)),
    asSent("transcriptions.askAll", ({ body }) => desk.ask(null, body.question)),
    routeAnswering("transcriptions.edit", ({ path, body }) =>
      fresh(desk.edit(path.id, body.baseRevision, body.operations)),
    ),
    routeAnswering("transcriptions.edits", ({ path }) => fresh(Effect.map(desk.edits(path.id), onePage))),
    routeAnswering("transcriptions.undoEdit", ({ path }) =>
      fresh(desk.undoEdit(path.id, Number(path.revision))),
    ),
    routeAnswering("transcriptions.extras", ({ path, body }) => fresh(desk.addExtras(path.id, body))),
    routeAnswering("transcriptions.mediaLink", ({ path }) => fresh(link(path.id))),
    withEtag(
      routeReplying("transcriptions.waveform", ({ path, query }) =>
        Effect.map(told(desk.waveform(path.id)), (peaks) => bytesReply(partOf(peaks, query))),
      ),
    ),
    withEtag(
      routeReplying("transcriptions.export", ({ path, query }) =>
        Effect.map(told(desk.export(path.id, query)), (file) => fileReply(file, path.id)),
      ),
    ),
    routeAnswering("account.get", ({ caller }) =>
      Effect.map(customers.get(caller.account), (account) => ({
        answer: { ...identityOf(account, caller, features), role: "library" as const },
        replayed: false,
      })),
    ),
    routeReplying("transcriptions.events", (request) =>
      replyWithEvents(
        Effect.map(
          told(desk.follow(request.path.id)),
          Stream.map((update) => jobText("0", update)),
        ),
        request,
      ),
    ),
    routeReplying("transcriptions.eventsAll", (request) =>
      replyWithEvents(
        Effect.succeed(Stream.map(desk.changes, (update) => accountText("0", update))),
        request,
      ),
    ),
    open(KeylessApi.openMedia, (arrived) =>
      Effect.flatMap(recordingAt(arrived.address), (recording) => mediaReply(recording, arrived)),
    ),
  ]
})
