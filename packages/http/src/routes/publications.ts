import { type PageFile, pagePolicy, pageScript, pageStyle } from "@earmark/core/captions"
import { publishedFiles, showJson, showOpml } from "@earmark/core/publishing"
import { Publications } from "@earmark/service"
import { Effect } from "effect"
import { jsonReply, type Reply } from "../answers/Reply.js"
import { headerOf } from "../requests/Arrived.js"
import { asksForPage } from "../requests/accepts.js"
import { CACHED_BY_ALL, underTag } from "./conditional.js"
import { fileType } from "./files.js"
import { forAnyOrigin } from "./forAnyOrigin.js"
import { page } from "./page.js"

const PAGE_POLICY = { "Content-Security-Policy": `${pagePolicy}; frame-ancestors 'none'` } as const

const PAGE_HEADERS = { "Content-Type": "text/html; charset=utf-8", ...PAGE_POLICY } as const

/** For a person whose link has nothing any more. */
const nothingHere: Reply = {
  status: 404,
  headers: PAGE_HEADERS,
  body: `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>No public transcript</title><link rel="stylesheet" href="../${pageStyle.name}"></head>
<body><main><h1>No public transcript</h1>
<p>There is no public transcript at this address. Whoever published it may have taken it back: ask them for a new link.</p>
</main></body></html>
`,
}

const OPML = { "Content-Type": "text/x-opml; charset=utf-8" } as const

/** Its name changes with its content, so that it may be kept for good. */
const assetReply = ({ contentType, text }: PageFile): Reply => ({
  status: 200,
  headers: {
    "Content-Type": `${contentType}; charset=utf-8`,
    "Cache-Control": "public, max-age=31536000, immutable",
  },
  body: text,
})

/** Published transcripts: nobody is asked for a key, and any site may show them. */
export const publicationRoutes = Effect.gen(function* () {
  const publications = yield* Publications

  return [
    ...[pageStyle, pageScript].map((file) => page(`/p/${file.name}`, () => Effect.succeed(assetReply(file)))),
    forAnyOrigin(
      page("/p/:token/:file", (arrived) => {
        const { token = "", file = "" } = arrived.path
        const isRead = file === publishedFiles.html.name && asksForPage(headerOf(arrived.request, "accept"))
        return publications.open(token, file).pipe(
          Effect.map(({ chunks, contentType, format }) => {
            const headers = format === "html" ? PAGE_HEADERS : { "Content-Type": fileType(contentType) }
            return underTag({ status: 200, headers, body: chunks }, arrived, CACHED_BY_ALL)
          }),
          Effect.catchTag("NotPublished", (refused) => (isRead ? Effect.succeed(nothingHere) : refused)),
        )
      }),
    ),
    forAnyOrigin(
      page("/shows/:show/transcripts.json", (arrived) =>
        Effect.map(publications.show(arrived.path.show ?? ""), (show) =>
          underTag(jsonReply(200, showJson(show)), arrived, CACHED_BY_ALL),
        ),
      ),
    ),
    forAnyOrigin(
      page("/shows/:show/transcripts.opml", (arrived) =>
        Effect.map(publications.show(arrived.path.show ?? ""), (show) =>
          underTag({ status: 200, headers: OPML, body: showOpml(show) }, arrived, CACHED_BY_ALL),
        ),
      ),
    ),
  ]
})
