/** Every command: the one table that parsing, help, errors, completions and the reference page are made from. */
import { command } from "./Grammar.js"
import { align, captions, doctor, mcp, models, serve, setup, webhook, worker } from "./local.js"
import { accounts, backup, browser, credits, keys, migrate, restore } from "./operating.js"
import { config, login, upload, usage, webhooks } from "./remote.js"
import { feed, transcribe } from "./transcribing.js"
import { ask, editing, exporting, extras, jobs, publishing, search } from "./transcripts.js"

export const VERSION = "0.1.0"

export const root = command({
  text: "Transcribe audio, video and podcasts on your own machine, or run it as an HTTP and MCP server",
  examples: [
    "earmark transcribe talk.mp3",
    "earmark feed show.xml --limit 3",
    "earmark captions interview.vtt --format srt -o interview.srt",
    "earmark accounts create --email ann@example.org",
  ],
  commands: {
    transcribe,
    serve,
    console: browser,
    worker,
    feed,
    captions,
    align,
    webhook,
    mcp,
    models,
    setup,
    doctor,
    login,
    config,
    jobs,
    export: exporting,
    edit: editing,
    extras,
    search,
    ask,
    publish: publishing,
    upload,
    webhooks,
    usage,
    accounts,
    keys,
    credits,
    backup,
    restore,
    migrate,
  },
})
