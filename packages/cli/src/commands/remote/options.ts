/** The options that commands about a service share. */
import { Args, Options } from "@effect/cli"

const server = Options.text("server").pipe(
  Options.withDescription(
    "The address of the service; EARMARK_BASE_URL, the profile in use, or the one on this machine when left out.",
  ),
  Options.optional,
)

const profile = Options.text("profile").pipe(
  Options.withDescription("The service and key kept under this name by earmark login."),
  Options.optional,
)

export const where = { server, profile }

export const local = Options.boolean("local").pipe(
  Options.withDescription("Work on this machine, whatever service is in use."),
)

/** Of commands that this machine does where no service is named. */
export const named = {
  server: Options.text("server").pipe(
    Options.withDescription(
      "The address of a service; EARMARK_BASE_URL with SERVICE_API_KEY, the profile in use, or this machine when left out.",
    ),
    Options.optional,
  ),
  profile,
}

/** Of commands about transcripts, wherever they are kept. */
export const place = {
  ...named,
  local: Options.boolean("local").pipe(
    Options.withDescription("The library of this machine, whatever service is in use."),
  ),
}

export const transcription = Args.text({ name: "id" }).pipe(
  Args.withDescription("The id of a transcription, tr_...; of one of this machine its beginning is enough."),
)
