// The pages of docs/reference that are made from definitions: { path: text }.
import { spawnSync } from "node:child_process"
import ts from "typescript"
import { corePage } from "./coreReference.mjs"
import { httpReference } from "./httpReference.mjs"
import { bundled, root } from "./setup.mjs"
import { surfacePages } from "./surface.mjs"
import { operationTable, wireTypes } from "./wireTypes.mjs"

const made = "<!-- Made from the definitions by `npm run docs`. -->"

const PAGE_END = "\f"

/** Prints the help of each command that it is given, in one process: one for each would take half a minute for them all. */
const HELP = `
  import * as NodeContext from "@effect/platform-node/NodeContext"
  import { Effect } from "effect"
  import { run } from "./src/cli.js"
  for (const path of JSON.parse(process.argv[2])) {
    await Effect.runPromise(Effect.provide(run(["node", "earmark", ...path, "--help"]), NodeContext.layer))
    process.stdout.write(${JSON.stringify(PAGE_END)})
  }
`

/** The sections of commands and of those below them. */
const commandSections = (program, paths) => {
  if (paths.length === 0) return []
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, JSON.stringify(paths)], {
    encoding: "utf8",
    env: { ...process.env, COLUMNS: "80" },
  })
  if (status !== 0) throw new Error(`the help of commands cannot be printed: ${stderr}`)
  const texts = stdout.split(PAGE_END)
  const below = paths.map((path, index) => {
    const commands = /\nCommands:\n((?: {2}.*\n)+)/.exec(texts[index])?.[1] ?? ""
    return [...commands.matchAll(/^ {2}(\S+)/gm)].map((match) => [...path, match[1]])
  })
  const sections = commandSections(program, below.flat())
  return paths.flatMap((path, index) => {
    const title = `## ${["earmark", ...path].join(" ")}`
    const own = { path, text: `${title}\n\n\`\`\`text\n${texts[index].trimEnd()}\n\`\`\`` }
    const isBelow = (section) => path.every((name, at) => section.path[at] === name)
    return [own, ...sections.filter(isBelow)]
  })
}

const commandLine = (program) => `${made}
# Command line

Options may stand before or after the arguments. \`-\` as a file means standard input. Data goes to standard output and nothing else does; notes and errors go to standard error. \`earmark help COMMAND\` prints what \`--help\` does, in lines as wide as \`COLUMNS\` says (80).

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | what was asked for could not be done: unreadable input, output that cannot be written, a signature that does not fit, faults found by \`--lint\`, a store that cannot be reached, numbers that \`credits verify\` cannot explain |
| 2 | the command line is wrong: an option that is unknown, missing, given twice or out of range, or a mistake in \`defaults.json\` |
| 3 | of several sources some are done, and others failed, were not begun, or are left to another run; 1 when none is done |
| 70 | a bug in earmark |
| 78 | a setting is missing or wrong that \`earmark mcp\` needs for its start, such as a key of the server |
| 130, 143 | interrupted (Ctrl-C), ended (SIGTERM): the same command goes on |

An error is one sentence on standard error: what happened, and what to do. Commands that speak to a store end it with a code in brackets, such as \`[account_not_found]\`; codes never change their meaning. A reader that goes away (\`| head -1\`) is no error.

\`-o FILE\` follows links, replaces a file when the new one is whole and keeps its permissions; pipes and devices are written to directly. With \`--lint\` beside \`--to\` or \`-o\`, what
was made is judged, and the report goes where the data does not: to standard error, or with \`-o FILE\` to standard output.

${commandSections(program, [[]])
  .map(({ text }) => text)
  .join("\n\n")}
`

const cell = (value) => String(value).replaceAll("|", "\\|")

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

const code = (text) => `\`${text}\``

const page = (title, ...parts) => `${made}\n# ${title}\n\n${parts.join("\n\n")}\n`

const failureCodes = ({ FailureCode, failureOf, failureSentence }) =>
  page(
    "Failure codes",
    "Why a job failed: `failure.code` of a failed job, with a sentence in `error`: that of the very file or link where there is one, else the one below. `stage` is where it happens when the worker does not know better. With `retryable`, the same job may succeed later with nothing changed by you. Codes never change their meaning.",
    table(
      ["code", "stage", "retryable", "sentence"],
      FailureCode.literals.map((name) => {
        const { stage, retryable } = failureOf(name, { attempts: 1 })
        return [code(name), code(stage), retryable ? "yes" : "no", failureSentence(name)]
      }),
    ),
  )

const problemCodes = ({ PROBLEM_TITLES }) =>
  page(
    "Problem codes",
    "The errors of requests, as [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) problems. `code` and `title` never change; `detail` says what was wrong with this request, and may. [Failure codes](failure-codes.md) are those of jobs that were accepted and failed later.",
    table(
      ["code", "title"],
      Object.entries(PROBLEM_TITLES).map(([name, title]) => [code(name), title]),
    ),
  )

const PROFILES = ["standard", "podcast", "netflix"]
const LANGUAGES = ["en", "de", "ar", "hi", "ko", "zh", "ja", "th"]

const LINT_SENTENCES = {
  line_too_wide: "A line has more cells than the profile allows; wide characters take two.",
  too_many_lines: "The caption has more lines than the profile allows.",
  too_fast: "More characters a second than the profile allows.",
  too_short: "On screen for less than the profile's least time.",
  too_long: "On screen for more than the profile's longest time.",
  overlap: "It begins before the caption before it ends.",
  out_of_order: "It begins before the caption before it begins, or ends before it begins.",
  empty: "It shows no text.",
  two_speakers: "Two people speak in one caption.",
  past_media_end: "It is shown after the media ends; needs the duration.",
  bom: "The file begins with a byte order mark; needs the text of the file.",
  crlf: "The file has CRLF line ends; needs the text of the file.",
  unescaped: "A `-->` in a text, or a bare `&` or `<` in WebVTT; needs the text of the file.",
  gap_too_small: "The caption before it ends less than the profile's gap before it begins.",
  leaning_end:
    "It ends with a word that leans on the next one (an article, a preposition), and the speaker goes on.",
  leaning_line: "A line inside it ends with such a word.",
  unbalanced: "One line has less than a third of the width of another.",
  doubtful: "Its words may not be what was said, as the file tells: exports of Earmark in JSON do.",
}

/** The lint codes as the type has them: a new code without a sentence here is an error, not a gap in the page. */
const lintCodes = () => {
  const source = ts.sys.readFile(`${root}packages/core/src/captions/lintCues.ts`)
  const listed = (name) =>
    [...new RegExp(`const ${name} = \\[([^\\]]*)\\]`).exec(source)[1].matchAll(/"(\w+)"/g)].map(
      (match) => match[1],
    )
  const row = (weight) => (name) => {
    if (LINT_SENTENCES[name] === undefined)
      throw new Error(`reference.mjs has no sentence for the lint code ${name}`)
    return [code(name), weight, LINT_SENTENCES[name]]
  }
  return [...listed("FAULTS").map(row("fault")), ...listed("ADVICE").map(row("advice"))]
}

const captionFormatsPage = ({ captionFormats, captionProfile, exportFormats }) =>
  page(
    "Caption formats",
    `## What is read

\`readCaptions\` and \`earmark captions FILE\` tell the format by the content, never by the name of the file: ${captionFormats.map(code).join(", ")}.
\`html\` is a transcript page with a time beside each paragraph; \`json\` is Earmark's own export and any list with times and texts in plain fields.`,
    `## What is written

Profiles and line lengths mean something for formats made of cues. Word level needs a source with times for its words.

${table(
  ["format", "extension", "content type", "cues", "word level", "what it is"],
  Object.entries(exportFormats).map(([name, facts]) => [
    code(name),
    code(facts.extension),
    code(facts.contentType),
    facts.cues ? "yes" : "no",
    facts.wordLevel ? "yes" : "no",
    facts.sentence,
  ]),
)}`,
    `## Profiles

Widths in cells, times in milliseconds, speeds in characters a second. Limits that the language changes are in the next table.

${table(
  ["profile", "line", "lines", "shortest", "longest", "gap", "hard gap", "speaker"],
  PROFILES.map((name) => {
    const made = captionProfile(name, { language: "en" })
    return [
      code(name),
      made.maxCharsPerLine,
      made.maxLines,
      made.minDuration,
      made.maxDuration,
      made.gap,
      made.hardGap ? "yes" : "no",
      made.speakerAs === "voice" ? "voice tag" : "before the text",
    ]
  }),
)}

Line width and greatest speed by language; \`de\` stands for every language that is not named.

${table(
  ["profile", ...LANGUAGES.map(code)],
  PROFILES.map((name) => [
    code(name),
    ...LANGUAGES.map((language) => {
      const made = captionProfile(name, { language })
      return `${made.maxCharsPerLine}, ${made.maxSpeed}/s`
    }),
  ]),
)}`,
    `## Lint codes

\`earmark captions FILE --lint\` ends with exit code 1 when there are faults. Advice is a matter of taste: a file with nothing else is in order.

${table(["code", "weight", "meaning"], lintCodes())}`,
  )

const MEBIBYTE = 1024 * 1024

const limits = ({ Feeds, Jobs, Links, Requests, Credits, Wire }, { ServiceConfig }) => {
  const feed = Feeds.defaultFeedLimits
  const rate = ({ limit, windowSeconds }) =>
    `${limit} in ${windowSeconds === 60 ? "a minute" : hours(windowSeconds)}`
  const hours = (seconds) => `${seconds / 3600} ${seconds === 3600 ? "hour" : "hours"}`
  return page(
    "Limits",
    `## Feeds

The defaults of \`readFeed\` and \`feedReader\`; \`limits\` in their options replaces any of them. Past a limit the feed is refused, but for titles and guids.

${table(
  ["name", "default", "past it"],
  [
    [code("feedBytes"), `${feed.feedBytes / MEBIBYTE} MiB`, code("feed-too-large")],
    [code("jsonBytes"), `${feed.jsonBytes / MEBIBYTE} MiB of JSON Feed`, code("feed-too-large")],
    [code("itemBytes"), `${feed.itemBytes / MEBIBYTE} MiB in one item`, code("item-too-large")],
    [code("items"), `${feed.items} items`, code("too-many-items")],
    [code("title"), `${feed.title} characters`, "cut"],
    [code("guid"), `${feed.guid} characters`, "counts as missing"],
  ],
)}`,
    `## Everything else

${table(
  ["what", "limit", "name"],
  [
    ["Episodes of one batch", Wire.LARGEST_BATCH, code("Wire.LARGEST_BATCH")],
    ["A job waits for credits", hours(Jobs.CREDITS_WAIT_SECONDS), code("Jobs.CREDITS_WAIT_SECONDS")],
    ["An upload address is good for", hours(Wire.UPLOAD_SECONDS), code("Wire.UPLOAD_SECONDS")],
    [
      "An upload that no job uses is kept for",
      hours(Wire.UNUSED_UPLOAD_SECONDS),
      code("Wire.UNUSED_UPLOAD_SECONDS"),
    ],
    [
      "The answer to an Idempotency-Key is kept for",
      hours(Requests.IDEMPOTENCY_SECONDS),
      code("Requests.IDEMPOTENCY_SECONDS"),
    ],
    [
      "A request waits for feeds, pages and captions of other servers",
      `${ServiceConfig.defaults.requestWait.toJSON().millis / 1000} seconds in all`,
      code("ServiceConfig.defaults.requestWait"),
    ],
    [
      "Media counts as long-form from",
      `${Credits.LONG_FORM_SECONDS} seconds`,
      code("Credits.LONG_FORM_SECONDS"),
    ],
    [
      "Requests with a wrong key, token, code or signature, from one address: then 429",
      rate(Requests.FAILED_ATTEMPTS),
      code("Requests.FAILED_ATTEMPTS"),
    ],
    [
      "Apps registered from one address",
      rate(Requests.APP_REGISTRATIONS),
      code("Requests.APP_REGISTRATIONS"),
    ],
    [
      "Sign-ins to the console begun at a provider from one address",
      rate(Requests.SIGN_INS),
      code("Requests.SIGN_INS"),
    ],
    ["Transcripts read for one question, and `ids` of one", Wire.MOST_ASKED, code("Wire.MOST_ASKED")],
    ["First bytes that `sniff` looks at", Links.SNIFFED_BYTES, code("Links.SNIFFED_BYTES")],
  ],
)}`,
    `## Failed attempts

Every process counts them for each address, over all doors together: keys over REST and MCP, no key over REST, tokens of apps, what the authorization server refuses (\`/oauth/token\`, \`/oauth/authorize\`, \`/oauth/register\`, \`/oauth/revoke\`, \`/oauth/par\`), keys typed on the sign-in page, sign-ins to the console at a provider, signatures of uploads, exports and payment notices, and the key of \`/metrics\`. Past the limit the answer is 429 with \`Retry-After\`. A right key is never refused for its neighbours. A request to \`/api/mcp\` without any credentials is how apps begin, and is not counted. Behind proxies of yours, set \`EARMARK_PROXIES\`: otherwise all clients have the address of the proxy.`,
  )
}

const settings = ({ settingSections }) =>
  page(
    "Settings",
    "Every setting is a variable of the environment. A variable that is empty counts as not set. A value that cannot be stops the start, and all such values are named at once; a name that begins with `EARMARK_` and that nothing reads is warned about. Values of secrets are never printed. `readSettings` of `@earmark/runtime` reads them.",
    ...settingSections.map(
      ({ title, settings }) =>
        `## ${title}\n\n${table(
          ["variable", "what it may be", "default", "meaning"],
          settings.map(({ name, kind, otherwise, sentence }) => [code(name), kind, otherwise, sentence]),
        )}`,
    ),
  )

/** Made from the built package, so a page shows what users import. */
export const references = async () => {
  const core = await import("@earmark/core")
  const runtime = await import("@earmark/runtime")
  const service = await import("@earmark/service")
  const { openApiDocument } = await import("@earmark/api")
  const openApi = openApiDocument({ baseUrl: "http://127.0.0.1:8787" })
  return {
    "docs/reference/command-line.md": commandLine(await bundled("help", HELP)),
    "docs/reference/core.md": corePage(made),
    "docs/reference/failure-codes.md": failureCodes(core.Jobs),
    "docs/reference/problem-codes.md": problemCodes(core.Wire),
    "docs/reference/caption-formats.md": captionFormatsPage(core.Captions),
    "docs/reference/limits.md": limits(core, service),
    "docs/reference/settings.md": settings(runtime),
    "docs/reference/openapi.json": `${JSON.stringify(openApi, null, 2)}\n`,
    "docs/reference/http.md": httpReference(openApi),
    ...surfacePages(made),
    "packages/api/src/client/wire.ts": wireTypes(openApi),
    "packages/api/src/client/operations.ts": operationTable(openApi),
  }
}
