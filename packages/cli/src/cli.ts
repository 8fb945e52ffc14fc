import { CliConfig, Command } from "@effect/cli"
import { Config, type Console, Effect, Struct } from "effect"
import { usage } from "./CommandFailed.js"
import { groups } from "./commands/administration/groups.js"
import { align, alignPage } from "./commands/align.js"
import { captions, captionsPage } from "./commands/captions.js"
import { doctor, doctorPage } from "./commands/doctor.js"
import { feed, feedPage } from "./commands/feed.js"
import { FEED_WATCH, feedWatch } from "./commands/feedWatch.js"
import { mcp, mcpPage } from "./commands/mcp.js"
import { models, modelsPage } from "./commands/models.js"
import { serve, servePage, worker, workerPage } from "./commands/serve.js"
import { setup, setupPage } from "./commands/setup.js"
import { transcribe, transcribePage } from "./commands/transcribe.js"
import { webhook, webhookPage } from "./commands/webhook.js"
import type { Shell } from "./completions/completions.js"
import { withDefaults } from "./defaults.js"
import { didYouMean } from "./didYouMean.js"
import { type Found, findCommand, helpText, isGroup, type Page } from "./help.js"
import { STANDARD_INPUT } from "./input.js"
import { separateValues } from "./joinedValues.js"
import { print } from "./output.js"
import { isResume } from "./resume.js"
import { DESCRIPTION, treeOf, VERSION } from "./tree.js"
import { asTyped, explainUsage, refuseUnknownOption } from "./usage.js"

/** Stands for a group that is loaded when it is named: its line in the help, and its name for those who mistype it. */
const announced = (name: keyof typeof groups) =>
  Command.make(name).pipe(Command.withDescription(groups[name]))

const names = Struct.keys(groups)

/** Every command, those of administration as names alone: most runs need no more, and start sooner. */
const light = treeOf(
  Command.make("earmark").pipe(
    Command.withDescription(DESCRIPTION),
    Command.withSubcommands([
      transcribe,
      serve,
      worker,
      feed,
      feedWatch,
      captions,
      align,
      webhook,
      mcp,
      models,
      setup,
      doctor,
      ...names.map(announced),
    ]),
  ),
  [
    transcribePage,
    servePage,
    workerPage,
    feedPage,
    captionsPage,
    alignPage,
    webhookPage,
    mcpPage,
    modelsPage,
    setupPage,
    doctorPage,
    ...names.map((name) => ({ name, descriptor: announced(name).descriptor, examples: [], children: [] })),
  ],
)

const isAdministration = (arg: string): boolean => names.some((name) => name === arg)

/** The commands that the arguments may be about. */
const treeFor = (args: ReadonlyArray<string>) =>
  args.some((arg) => isAdministration(arg) || arg.startsWith("--completions"))
    ? Effect.promise(async () => (await import("./commands/administration/tree.js")).whole)
    : Effect.succeed(light)

/** The framework's error pages are replaced by one sentence: see `explainUsage`. */
const quiet = (console: Console.Console): Console.Console => ({
  ...console,
  unsafe: { ...console.unsafe, error: () => {} },
  error: () => Effect.void,
})

const SHELLS: ReadonlyArray<Shell> = ["bash", "zsh", "fish"]

/** Options of the framework that this command does not offer: one asks questions without end, the other shows nothing. */
const NOT_OFFERED = ["--wizard", "--log-level"]

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
  return undefined
}

const printCompletions = Effect.fnUntraced(function* (given: string, root: Page) {
  const shell = SHELLS.find((shell) => shell === given)
  if (shell === undefined) {
    const known = `--completions knows the shells ${SHELLS.join(", ")}`
    const hint = yield* didYouMean(given, SHELLS)
    return yield* usage(given === "" ? `${known}: name one of them.` : `${known}, not "${given}".${hint}`)
  }
  const { completionsFor } = yield* Effect.promise(() => import("./completions/completions.js"))
  return yield* print(completionsFor(shell, root))
})

/** `--help` anywhere, or a group of commands named alone. */
const asksForHelp = (args: ReadonlyArray<string>, flags: ReadonlyArray<string>, found: Found) => {
  const isGroupAlone = args.length === found.path.length - 1 && isGroup(found.page)
  return isGroupAlone || flags.includes("--help") || flags.includes("-h")
}

/** `earmark help captions` and `earmark --help captions` are `earmark captions --help`. */
const spelledOut = (root: Page, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...rest] = args
  // The flag may stand before the command that it is about.
  if (first === "--help" || first === "-h") return [...rest, first]
  if (first !== "help") return args
  const isKnown = findCommand(root, rest).path.length === rest.length + 1
  return isKnown ? [...rest, "--help"] : rest
}

/** The parser knows no command that takes arguments and holds another one. */
const asParsed = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args[0] === "feed" && args[1] === "watch" ? [FEED_WATCH, ...args.slice(2)] : args

/** `earmark transcribe --resume` stands for the last run in this folder that was stopped. */
const resumed = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  if (!isResume(args)) return args
  const { lastRun } = yield* Effect.promise(() => import("./transcribe/lastRun.js"))
  const words = yield* lastRun
  if (words === null) return args
  return [...words, ...args.slice(1).filter((word) => word !== "--resume" && !words.includes(word))]
})

/** Runs one command line. Fails with a sentence and an exit code, never with a stack. */
export const run = Effect.fn("earmark")(function* (argv: ReadonlyArray<string>) {
  const words = yield* resumed(argv.slice(2))
  const tree = yield* treeFor(words)
  const spelled = spelledOut(tree.root, words)
  const found = findCommand(tree.root, spelled)
  const args = separateValues(found, spelled).map((arg) => (arg === "-" ? STANDARD_INPUT : arg))
  const end = args.indexOf("--")
  const flags = end < 0 ? args : args.slice(0, end)
  if (asksForHelp(args, flags, found)) {
    const columns = yield* Effect.orElseSucceed(Config.string("COLUMNS"), () => "")
    return yield* print(helpText(found, columns))
  }
  const shell = valueAfter(flags, "--completions")
  if (shell !== undefined) return yield* printCompletions(shell, tree.root)
  if (flags.includes("--version") || flags.includes("-v")) return yield* print(`${VERSION}\n`)
  const refused = refuseOptions(flags, found)
  if (refused !== undefined) return yield* refused
  yield* refuseUnknownOption(found, args)
  const console = yield* Effect.console
  const whole = yield* withDefaults(args)
  yield* tree.parse([...argv.slice(0, 2), ...asParsed(whole)]).pipe(
    Effect.provideService(CliConfig.CliConfig, CliConfig.make({ isCaseSensitive: true })),
    Effect.withConsole(quiet(console)),
    Effect.catchIf(
      (error) => error._tag !== "CommandFailed",
      (error) => Effect.flatMap(explainUsage(error, found, args), Effect.fail),
    ),
    Effect.mapError((failure) => asTyped(failure, found)),
  )
})
