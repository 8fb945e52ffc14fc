import { KeylessApi, openApiDocument } from "@earmark/api"
import { ExportLinks, Figures, Recordings, TimeLimit, Uploads, Worker } from "@earmark/service"
import { Effect, Option } from "effect"
import { Refusal } from "../answers/Refusal.js"
import { jsonReply, PROBLEMS_PAGE, type Reply } from "../answers/Reply.js"
import { DOCS_PAGE, docsPage } from "../pages/docs/docsPage.js"
import { problemsPage } from "../pages/problemsPage.js"
import { uploadPage } from "../pages/uploadPage.js"
import { readUpload } from "../requests/readUpload.js"
import { Stopping } from "../server/Stopping.js"
import { underTag } from "./conditional.js"
import { fileReply } from "./files.js"
import { forAnyOrigin } from "./forAnyOrigin.js"
import { mediaReply } from "./media.js"
import { open, page } from "./page.js"
import { welcome } from "./welcome.js"

const OK = { status: "ok" } as const

const notReady = (cause: unknown) =>
  new Refusal({
    code: "unavailable",
    detail: "The server is not ready to work.",
    headers: { "Retry-After": "1" },
    cause,
  })

/** The state of the process. */
export const probeRoutes = Effect.gen(function* () {
  const figures = yield* Figures
  const stopping = yield* Stopping
  // Where this process works on jobs as well.
  const worker = yield* Effect.serviceOption(Worker)
  const trouble = Option.match(worker, {
    onNone: () => Effect.succeed(null),
    onSome: (loop) => loop.trouble,
  })

  const isReady = Effect.gen(function* () {
    if (yield* stopping.hasBegun) return yield* notReady("it was told to stop")
    const found = yield* trouble
    if (found !== null) return yield* notReady(found)
    yield* Effect.mapError(figures.requireWritable, notReady)
  }).pipe(
    TimeLimit.fail({
      duration: "5 seconds",
      onTimeout: () => notReady("its store has not answered for 5 seconds"),
    }),
  )

  return [
    open(KeylessApi.healthz, () => Effect.succeed(jsonReply(200, OK))),
    open(KeylessApi.readyz, () => Effect.as(isReady, jsonReply(200, OK))),
  ]
})

/** What needs no key: bytes and files at signed addresses, and what describes the rest. */
export const openRoutes = ({ baseUrl }: { readonly baseUrl: string }) =>
  Effect.gen(function* () {
    const uploads = yield* Uploads
    const links = yield* ExportLinks
    const recordings = yield* Recordings

    return [
      open(KeylessApi.putUpload, (arrived) =>
        Effect.map(
          uploads.receive(readUpload(arrived)),
          (etag): Reply => ({
            status: 200,
            headers: { ETag: `"${etag}"` },
            body: null,
          }),
        ),
      ),
      forAnyOrigin(
        open(KeylessApi.openExport, (arrived) =>
          Effect.map(links.open(arrived.address), (file) =>
            underTag(fileReply(file, arrived.path.id ?? "transcript"), arrived),
          ),
        ),
      ),
      forAnyOrigin(
        open(KeylessApi.openMedia, (arrived) =>
          Effect.flatMap(recordings.open(arrived.address), (recording) => mediaReply(recording, arrived)),
        ),
      ),
      page("/", (arrived) => Effect.succeed(welcome(baseUrl, arrived))),
      page("/openapi.json", (arrived) =>
        Effect.sync(() => underTag(jsonReply(200, openApiDocument({ baseUrl })), arrived)),
      ),
      page(DOCS_PAGE, (arrived) => Effect.sync(() => underTag(docsPage(baseUrl), arrived))),
      page(PROBLEMS_PAGE, () => Effect.sync(problemsPage)),
      page("/upload/uploads/:account/:file", () => Effect.sync(uploadPage)),
    ]
  })
