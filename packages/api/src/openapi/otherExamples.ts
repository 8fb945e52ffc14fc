/** What files and problems look like. */
import { type ExportFormat, PROBLEM_TITLES, type ProblemCode } from "@earmark/core/wire"
import { PROBLEM_STATUS } from "../problems.js"
import type { Json, JsonObject } from "./json.js"

/** The beginnings of files, in the formats that are text. The last of a content type stands for it. */
export const fileExamples: Readonly<Partial<Record<ExportFormat, Json>>> = {
  srt: "1\n00:00:00,320 --> 00:00:01,900\nAnn: Welcome back to the show.\n\n",
  vtt: "WEBVTT\n\n00:00:00.320 --> 00:00:01.900\n<v Ann>Welcome back to the show.\n\n",
  txt: "Ann: Welcome back to the show.\n",
  md: "# Episode 12\n\n**Ann** [0:00:00]\n\nWelcome back to the show.\n\n",
  podcast_json: {
    version: "1.0.0",
    segments: [{ startTime: 0.32, endTime: 1.9, speaker: "Ann", body: "Welcome back to the show." }],
  },
  chapters: { version: "1.2.0", chapters: [{ startTime: 0, title: "Welcome" }] },
  csv: "start,end,speaker,text\r\n0.32,1.9,Ann,Welcome back to the show.\r\n",
  tsv: "start\tend\ttext\n320\t1900\tWelcome back to the show.\n",
  html: '<!doctype html>\n<html lang="en">\n<body>\n<p>Welcome back to the show.</p>\n</body>\n</html>\n',
}

/** What a problem looks like that has no more to say than its title. */
export const problemExample = (code: ProblemCode): JsonObject => ({
  type: `https://api.example.com/docs/problems#${code}`,
  title: PROBLEM_TITLES[code],
  status: PROBLEM_STATUS[code],
  detail: `${PROBLEM_TITLES[code]}.`,
  error: `${PROBLEM_TITLES[code]}.`,
  code,
  request_id: "req_7h2k9m4q8w3x",
  ...(code === "out_of_credits" && {
    balance: 12,
    needed: 31,
    top_up_url: "https://api.example.com/api/v1/credits/purchases",
  }),
  ...(code === "key_limit_reached" && {
    limit: 500,
    used: 480,
    needed: 31,
    resets_at: "2026-02-01T00:00:00.000Z",
  }),
  ...(code === "feature_locked" && { feature: "diarize", upgrade: true }),
})
