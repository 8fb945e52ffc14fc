import { CliConfig, Command } from "@effect/cli"
import { Config, type Console, Effect } from "effect"
import { usage } from "./CommandFailed.js"
import { accounts, accountsPage } from "./commands/administration/accounts.js"
import { credits, creditsPage } from "./commands/administration/credits.js"
import { jobs, jobsPage } from "./commands/administration/jobs.js"
import { keys, keysPage } from "./commands/administration/keys.js"
import { migrate, migratePage } from "./commands/administration/migrate.js"
import { captions, captionsPage } from "./commands/captions.js"
import { feed, feedPage } from "./commands/feed.js"
import { webhook, webhookPage } from "./commands/webhook.js"
import { type Found, findCommand, helpText, type Page } from "./help.js"
import { STANDARD_INPUT } from "./input.js"
import { print } from "./output.js"
import { explainUsage } from "./usage.js"

const earmark = Command.make("earmark").pipe(
  Command.withDescription("Earmark turns audio, video and podcasts into text: by ear, to the mark."),
  Command.withSubcommands([feed, captions, webhook, accounts, keys, credits, jobs, migrate]),
)

const root: Page = {
  name: "earmark",
  descriptor: earmark.descriptor,
  examples: ["earmark feed show.xml --limit 3", "earmark captions interview.vtt --to srt -o interview.srt"],
  children: [feedPage, captionsPage, webhookPage, accountsPage, keysPage, creditsPage, jobsPage, migratePage],
}

const VERSION = "0.1.0"

const parse = Command.run(earmark, { name: "earmark", version: VERSION })

/**
 * What the framework prints itself (completions) is kept for `print`; its error pages are replaced by one sentence:
 * see `explainUsage`.
 */
const keepingConsole = (console: Console.Console, kept: Array<string>): Console.Console => ({
  ...console,
  unsafe: { ...console.unsafe, error: () => {} },
  error: () => Effect.void,
  log: (...parts) => Effect.sync(() => kept.push(`${parts.map(String).join(" ")}\n`)),
})

const SHELLS = ["bash", "zsh", "fish"]

/** Options of the framework that this command does not offer: one asks questions without end, the other shows nothing. */
const NOT_OFFERED = ["--wizard", "--log-level"]

const NOT_OFFERED_LINE = /^(?:\s*'--|complete .* -l )(?:wizard|log-level)\b.*\n/gm

/** A completion script without the options that are not offered: lines of their own in zsh and fish, words in bash. */
const withoutNotOffered = (script: string): string =>
  script.replace(NOT_OFFERED_LINE, "").replace(/ --(?:wizard|log-level)\b/g, "")

const valueAfter = (flags: ReadonlyArray<string>, name: string): string | undefined => {
  const at = flags.findIndex((flag) => flag === name || flag.startsWith(`${name}=`))
  const flag = flags[at]
  if (flag === undefined) return undefined
  return flag === name ? (flags[at + 1] ?? "") : flag.slice(name.length + 1)
}

/** What the framework would answer in its own way. */
const refuseOptions = (flags: ReadonlyArray<string>, found: Found) => {
  const name = found.path.join(" ")
  const option = NOT_OFFERED.find((option) => valueAfter(flags, option) !== undefined)
  if (option !== undefined) return usage(`${name} has no option ${option}. See ${name} --help.`)
  const shell = valueAfter(flags, "--completions")
  if (shell === undefined || SHELLS.includes(shell)) return undefined
  const known = `--completions knows the shells ${SHELLS.join(", ")}`
  return usage(shell === "" ? `${known}: name one of them.` : `${known}, not "${shell}".`)
}

/** `--help` anywhere, or a group of commands named alone. */
const asksForHelp = (args: ReadonlyArray<string>, flags: ReadonlyArray<string>, found: Found) => {
  const isGroupAlone = args.length === found.path.length - 1 && found.page.children.length > 0
  return isGroupAlone || flags.includes("--help") || flags.includes("-h")
}

/** `earmark help captions` is `earmark captions --help`. */
const spelledOut = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...rest] = args
  if (first !== "help") return args
  const isKnown = findCommand(root, rest).path.length === rest.length + 1
  return isKnown ? [...rest, "--help"] : rest
}

/** Runs one command line. Fails with a sentence and an exit code, never with a stack. */
export const run = Effect.fn("earmark")(function* (argv: ReadonlyArray<string>) {
  const args = spelledOut(argv.slice(2)).map((arg) => (arg === "-" ? STANDARD_INPUT : arg))
  const end = args.indexOf("--")
  const flags = end < 0 ? args : args.slice(0, end)
  const found = findCommand(root, args)
  if (asksForHelp(args, flags, found)) {
    const columns = yield* Effect.orElseSucceed(Config.string("COLUMNS"), () => "")
    return yield* print(helpText(found, columns))
  }
  if (flags.includes("--version") || flags.includes("-v")) return yield* print(`${VERSION}\n`)
  const refused = refuseOptions(flags, found)
  if (refused !== undefined) return yield* refused
  const console = yield* Effect.console
  const kept: Array<string> = []
  yield* parse([...argv.slice(0, 2), ...args]).pipe(
    Effect.provideService(CliConfig.CliConfig, CliConfig.make({ isCaseSensitive: true })),
    Effect.withConsole(keepingConsole(console, kept)),
    Effect.catchIf(
      (error) => error._tag !== "CommandFailed",
      (error) => Effect.flatMap(explainUsage(error, found, args), Effect.fail),
    ),
  )
  if (kept.length > 0) yield* print(withoutNotOffered(kept.join("")))
})
