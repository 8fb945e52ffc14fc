/** Commands about finished and running transcriptions, of a server or of this machine. */
import { exportFormatNames } from "@earmark/core/captions/formats"
import { argument, choice, command, flag, text, whole } from "./Grammar.js"
import {
  colour,
  json,
  jsonAnswer,
  layout,
  limit,
  listing,
  place,
  transcription,
  wordLevel,
} from "./shared.js"

const ofFeed = text("Only episodes of the feed with this address", { value: "URL" })

export const jobs = command({
  text: "List, show, retry and delete transcriptions, of a server or of this machine",
  examples: ["earmark jobs list", 'earmark jobs show "$JOB" --wait'],
  commands: {
    list: command({
      text: "List transcriptions, newest first",
      takes: {
        ...place,
        status: choice(
          ["queued", "done", "failed", "canceled"],
          "Only those in this state. Stopped and canceled ones count as failed; on this machine canceled lists only them",
        ),
        batch: text("Only those of this batch of a server: batch_...", { value: "ID" }),
        feed: ofFeed,
        query: text("Only those with these words in their title", { short: "q", value: "WORDS" }),
        ...listing,
      },
      examples: ["earmark jobs list --status failed", "earmark jobs list --json --limit 100"],
    }),
    show: command({
      text: "Show one transcription; its text with --json, or with earmark export",
      takes: { id: transcription, ...place, wait: flag("Wait until it is done or failed"), json },
      examples: ['earmark jobs show "$JOB" --wait', 'earmark jobs show "$JOB" --json'],
    }),
    name: command({
      text: "Name the speakers of a finished transcription",
      takes: {
        id: transcription,
        names: argument(
          "names",
          "one",
          'Their names: "Speaker 1=Ann,Speaker 2=Bob". "Speaker 1=" removes the name',
        ),
        ...place,
        json,
      },
      tooMany: 'Put all names into one argument: "Speaker 1=Ann,Speaker 2=Bob"',
      examples: ['earmark jobs name "$JOB" "Speaker 1=Ann,Speaker 2=Bob"'],
    }),
    cancel: command({
      text: "Cancel a transcription of a server that has not ended. It costs nothing. Ctrl-C stops a run of this machine",
      brief: "Cancel a transcription of a server that has not ended",
      takes: { id: transcription, ...place, json },
      examples: ['earmark jobs cancel "$JOB"'],
    }),
    retry: command({
      text: "Retry a failed transcription with the same options",
      takes: { id: transcription, ...place, json },
      examples: ['earmark jobs retry "$JOB"'],
    }),
    delete: command({
      text: "Delete transcriptions: on a server with their media, after canceling those that run; on this machine never the files that were written",
      brief: "Delete transcriptions",
      takes: {
        ids: argument("id", "any", "The ids of transcriptions, tr_...; their beginnings are enough", {
          completes: "transcriptions",
        }),
        ...place,
        all: flag("Empty the library of this machine. Files that were written stay"),
        failed: flag("Delete all that failed, but not what was stopped"),
        yes: flag("With --all: delete without asking. Scripts need it", { short: "y" }),
        json: flag("Print one JSON object a line for each on standard output instead of a sentence"),
      },
      examples: [
        'earmark jobs delete "$JOB"',
        "earmark jobs delete --failed",
        "earmark jobs delete --all --local",
        "earmark jobs delete --all --yes",
      ],
    }),
    dead: command({
      text: "List the jobs that were set aside, with the reason, or queue one again",
      takes: {
        retry: text("Queue the job with this id (tr_...) again instead of listing", { value: "ID" }),
        limit,
        json,
      },
      examples: ["earmark jobs dead --json", 'earmark jobs dead --retry "$JOB"'],
    }),
  },
})

export const exporting = command({
  text: "Write a finished transcript as captions, text, JSON, HTML or Word",
  takes: {
    id: transcription,
    ...place,
    format: choice(exportFormatNames, "What to write [what -o FILE ends with, else txt]", { short: "f" }),
    output: text(
      "Write to this file instead of standard output (-). An existing file is replaced once the new one is complete",
      { short: "o", value: "FILE", completes: "files" },
    ),
    wordLevel,
    noSpeakers: flag("Leave speakers out"),
    speakers: text(
      'Names of the speakers in this file: "Speaker 1=Ann,Speaker 2=Bob". earmark jobs name stores names',
      { value: "NAMES" },
    ),
    ...layout,
    language: text("Write the translation into this language"),
    revision: whole("Write it as it was after this many edits; 0 is what was transcribed [the newest]"),
    link: flag("Print an address at the server that gives the file to anyone who has it, for 15 minutes"),
    json: flag("With -o FILE: print one JSON object about the file on standard output"),
  },
  examples: ['earmark export "$JOB" -o talk.srt', 'earmark export "$JOB" --format md --no-speakers'],
})

export const editing = command({
  text: "Correct a finished transcript in your editor: text, speakers, times, lines to split, join or delete",
  brief: "Correct a finished transcript in your editor",
  takes: {
    id: transcription,
    revision: argument(
      "revision",
      "optional",
      "With --undo: the revision to undo [the newest that is in effect]",
    ),
    ...place,
    draft: text("Apply this edited file instead of opening VISUAL or EDITOR", {
      value: "FILE",
      completes: "files",
    }),
    history: flag("List the revisions, newest first"),
    undo: flag("Undo a revision. That is a new revision"),
    json: jsonAnswer,
  },
  examples: ['earmark edit "$JOB"', 'earmark edit "$JOB" --draft talk.txt', 'earmark edit "$JOB" --undo'],
})

export const extras = command({
  text: "Make a summary, chapters or a translation of a finished transcript, from its newest text",
  brief: "Make a summary, chapters or a translation afterwards",
  takes: {
    id: transcription,
    ...place,
    summary: flag("Make a summary"),
    chapters: flag("Make chapters"),
    translate: text("Translate into this language; once for each language", { value: "LANGUAGE" }),
    json: jsonAnswer,
  },
  examples: ['earmark extras "$JOB" --summary', 'earmark extras "$JOB" --translate de'],
})

export const search = command({
  text: "Find what was said, in one transcript or in all of them",
  takes: {
    words: argument(
      "words",
      "any",
      "What a line must contain: every word, words in quotes one after the other, muse* for a beginning",
    ),
    ...place,
    regex: flag("Treat the words as a regular expression, on this machine"),
    job: text("Only in this transcript (tr_...) [all of them]", { value: "ID", completes: "transcriptions" }),
    speaker: text("Only what this speaker says", { value: "NAME" }),
    feed: ofFeed,
    after: text(
      "Only transcriptions made after this time: 2026-01-31, 2026-01-31T08:00:00Z, or 30d for the last days",
      { value: "TIME" },
    ),
    before: text("Only transcriptions made before this time", { value: "TIME" }),
    context: whole("How many lines to show before and after each [1 on a terminal, else 0]", { short: "C" }),
    ...listing,
    color: colour,
  },
  examples: [
    'earmark search "climate report" --context 1',
    'earmark search budget --job "$JOB" --json',
    "earmark search --regex 'colou?r'",
  ],
})

/** Who asks without quotes asks with one word, and names a transcript with the next. */
export const IN_QUOTES = 'Put the question in quotes: earmark ask "When do the doors open?"'

export const ask = command({
  text: "Answer a question from transcripts, with quotes and their times. EARMARK_LLM_URL names a language model; without one the passages that fit best are shown",
  brief: "Answer a question from transcripts, with quotes and their times",
  takes: {
    question: argument("question", "one", "What you want to know, in quotes"),
    id: argument(
      "id",
      "optional",
      "The id of a transcription, tr_... [all of them]; its beginning is enough",
      { completes: "transcriptions" },
    ),
    ...place,
    all: flag("Ask all transcripts, as without an id"),
    json: flag("Print one JSON object instead of text"),
  },
  tooMany: IN_QUOTES,
  examples: [
    'earmark ask "What did they say about the budget?" --all',
    'earmark ask "Who keeps bees?" "$JOB" --json',
  ],
})

export const publishing = command({
  text: "Publish transcripts: as a static site, as tags in a podcast feed, or at addresses of a server",
  brief: "Publish transcripts as a site, in a feed or at a server",
  takes: {
    ids: argument(
      "id",
      "any",
      "The ids of transcriptions, tr_... [with --out: all of the library; with --feed: those of its episodes]",
      { completes: "transcriptions" },
    ),
    ...place,
    out: text(
      "Write a static site into this folder. Only what changed is written, and files of others stay",
      {
        value: "DIR",
        completes: "files",
      },
    ),
    baseUrl: text("With --out: where the site will be. Needed for its feed and its site map", {
      value: "URL",
    }),
    title: text("With --out: the name of the site [Transcripts]", { value: "TEXT" }),
    feed: text(
      "The RSS or Atom feed of the podcast, a file or an address: it is written again with the tags of the transcripts in it",
      { value: "FEED", completes: "files" },
    ),
    output: text(
      "With --feed: write the feed to this file [standard output; with --out: feed.xml of the site]",
      {
        short: "o",
        value: "FILE",
        completes: "files",
      },
    ),
    takeBack: flag("Take published transcripts of a server back: their addresses end at once"),
    json: jsonAnswer,
  },
  examples: [
    "earmark publish --out site/ --base-url https://example.org/transcripts/",
    "earmark publish --feed feed.xml -o new.xml --server https://words.example",
    'earmark publish "$JOB" --server https://words.example',
  ],
})
