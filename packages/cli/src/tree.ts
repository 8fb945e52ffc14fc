import { Command } from "@effect/cli"
import type { Page } from "./help.js"

export const VERSION = "0.1.0"

export const DESCRIPTION = "Earmark turns audio, video and podcasts into text: by ear, to the mark."

/** The root of a command line with its commands: to parse with, and to print help from. */
export const treeOf = <Name extends string, R, E, A>(
  command: Command.Command<Name, R, E, A>,
  children: ReadonlyArray<Page>,
) => {
  const root: Page = {
    name: "earmark",
    descriptor: command.descriptor,
    examples: [
      "earmark transcribe talk.mp3",
      "earmark feed show.xml --limit 3",
      "earmark captions interview.vtt --format srt -o interview.srt",
      "earmark accounts create --email ann@example.org",
    ],
    children,
  }
  return { root, parse: Command.run(command, { name: "earmark", version: VERSION }) }
}
