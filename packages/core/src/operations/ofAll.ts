/** What concerns several transcriptions of an account at once. */
import { ArchiveQuery, decodeArchiveQuery } from "../wire/index.js"
import { AccountEvent } from "./answers.js"
import { operation } from "./Operation.js"

export const ofAll = {
  "transcriptions.eventsAll": operation({
    method: "GET",
    path: "/api/v1/events",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Follow an account",
    description:
      "Server-sent events that never end: `job`, how a job stands, at most twice a second for each; `credits`, the balance, for keys with `billing:read`; `missed`, when more has changed than is sent one by one (over 1,000 jobs at once): read the lists again. The stream begins with the balance and every queued job. Reconnect with the `id` of the last event in `Last-Event-ID`: jobs that were created or ended meanwhile are sent too, whichever process answers. An event may come twice. Jobs that are deleted while you are not connected are not reported. Every 15 seconds without news there is a comment.",
    form: "events",
    answers: { 200: AccountEvent },
  }),

  "transcriptions.exportAll": operation({
    method: "GET",
    path: "/api/v1/exports.zip",
    scope: "transcriptions:read",
    rate: "read",
    summary: "Export several transcripts as one archive",
    description:
      "A zip archive of up to 400 transcriptions (`ids`, with commas between them) or of a batch of up to 1,000 (`batch_id`), in one format. Files are named by their titles. What cannot be exported is a line in `problems.txt`.",
    query: ArchiveQuery,
    reads: decodeArchiveQuery,
    form: "archive",
    answers: {},
    problems: ["not_found"],
  }),
} as const
