/** Options that several commands take. */
import { argument, choice, flag, text, whole } from "./Grammar.js"

export const json = flag("Print one JSON object instead of a table")

/** Of commands that say what they did. */
export const jsonAnswer = flag("Print one JSON object on standard output instead of a sentence")

export const colour = choice(
  ["auto", "always", "never"],
  "When to use colours (auto: on a terminal unless NO_COLOR is set)",
  {
    fallback: "auto",
  },
)

const profile = text("The server and key that earmark login has saved under this name", { value: "NAME" })

/** Of commands that only a server does. */
export const where = {
  server: text(
    "The address of the server [EARMARK_BASE_URL, else the profile in use, else the server on this machine]",
    { value: "URL" },
  ),
  profile,
}

const named = {
  server: text(
    "The address of a server [EARMARK_BASE_URL with SERVICE_API_KEY, else the profile in use, else this machine]",
    { value: "URL" },
  ),
  profile,
}

/** Of commands that this machine does where no server is named. */
export const placed = { ...named, local: flag("Work on this machine, even when a server is in use") }

/** Of commands about transcripts, wherever they are stored. */
export const place = {
  ...named,
  local: flag("Use the library of this machine, even when a server is in use"),
}

export const transcription = argument(
  "id",
  "one",
  "The id of a transcription, tr_...; its beginning is enough",
  { completes: "transcriptions" },
)

export const account = text("The id of the account: acct_...", { required: true, value: "ID" })

/** With an account the operator asks the store; without one somebody asks a server, with a key of theirs. */
export const anyAccount = text(
  "The id of an account (acct_...), for operators beside the store [the account of the key at a server]",
  { value: "ID" },
)

export const limit = whole("How many to list, newest first, at most 100 [20]", { fallback: 20 })

/** How much of a list is asked for. */
const paging = {
  limit,
  cursor: text("Continue a list: the next_cursor of the page before, as --json prints it"),
  all: flag("List all of them"),
}

/** Of commands that list. */
export const listing = { ...paging, json }

/** Of commands about an account, beside the store or at a server. */
export const ofAccount = { account: anyAccount, ...where }

/** Narrows a list to a span of time. */
export const span = {
  from: text("Only from this time on: a day (2026-11-01) or a time (2026-11-01T12:00:00Z), in UTC", {
    value: "TIME",
  }),
  to: text("Only before this time", { value: "TIME" }),
}

/** How captions are laid out. */
export const layout = {
  cues: choice(
    ["standard", "podcast", "netflix"],
    "The rules that captions are cut by: standard (42x2), podcast (32x2) or netflix (42x2, hard gaps)",
  ),
  maxChars: whole("The longest line of a caption in characters, from 16 to 80"),
  maxLines: whole("How many lines a caption has at most, from 1 to 3"),
}

export const wordLevel = flag("Show the time of every word, in formats that can")

export const textLanguage = text("The language of the text (en, de, ...), when the file does not say it")
