import { CliConfig, Command } from "@effect/cli"
import { type Console, Effect } from "effect"
import { captions, captionsPage } from "./commands/captions.js"
import { feed, feedPage } from "./commands/feed.js"
import { webhook, webhookPage } from "./commands/webhook.js"
import { type Found, findCommand, helpText, type Page } from "./help.js"
import { STANDARD_INPUT } from "./input.js"
import { print } from "./output.js"
import { explainUsage } from "./usage.js"

const earmark = Command.make("earmark").pipe(
  Command.withDescription("Earmark turns audio, video and podcasts into text: by ear, to the mark."),
  Command.withSubcommands([feed, captions, webhook]),
)

const root: Page = {
  name: "earmark",
  descriptor: earmark.descriptor,
  examples: ["earmark feed show.xml --limit 3", "earmark captions interview.vtt --to srt -o interview.srt"],
  children: [feedPage, captionsPage, webhookPage],
}

const parse = Command.run(earmark, { name: "earmark", version: "0.1.0" })

/** The framework's own error pages are replaced by one sentence: see `explainUsage`. */
const quietErrors = (console: Console.Console): Console.Console => ({
  ...console,
  unsafe: { ...console.unsafe, error: () => {} },
  error: () => Effect.void,
})

/** `--help` anywhere, or a group of commands named alone. */
const asksForHelp = (args: ReadonlyArray<string>, found: Found) => {
  const end = args.indexOf("--")
  const flags = end < 0 ? args : args.slice(0, end)
  const isGroupAlone = args.length === found.path.length - 1 && found.page.children.length > 0
  return isGroupAlone || flags.includes("--help") || flags.includes("-h")
}

/** Runs one command line. Fails with a sentence and an exit code, never with a stack. */
export const run = Effect.fn("earmark")(function* (argv: ReadonlyArray<string>) {
  const args = argv.slice(2).map((arg) => (arg === "-" ? STANDARD_INPUT : arg))
  const found = findCommand(root, args)
  if (asksForHelp(args, found)) return yield* print(helpText(found))
  const console = yield* Effect.console
  return yield* parse([...argv.slice(0, 2), ...args]).pipe(
    Effect.provideService(CliConfig.CliConfig, CliConfig.make({ isCaseSensitive: true })),
    Effect.withConsole(quietErrors(console)),
    Effect.catchIf(
      (error) => error._tag !== "CommandFailed",
      (error) => Effect.fail(explainUsage(error, found, args)),
    ),
  )
})
