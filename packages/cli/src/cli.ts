import { Command } from "@effect/cli"

const earmark = Command.make("earmark").pipe(
  Command.withDescription("Turns audio, video and podcasts into text: by ear, to the mark."),
)

export const run = Command.run(earmark, { name: "earmark", version: "0.1.0" })
