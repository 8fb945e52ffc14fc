import { Command } from "@effect/cli"
import { DESCRIPTION, treeOf } from "../../tree.js"
import { align, alignPage } from "../align.js"
import { captions, captionsPage } from "../captions.js"
import { doctor, doctorPage } from "../doctor.js"
import { exporting, exportPage } from "../export.js"
import { feed, feedPage } from "../feed.js"
import { feedWatch } from "../feedWatch.js"
import { mcp, mcpPage } from "../mcp.js"
import { models, modelsPage } from "../models.js"
import { config, configPage } from "../remote/config.js"
import { login, loginPage } from "../remote/login.js"
import { upload, uploadPage } from "../remote/upload.js"
import { usage, usagePage } from "../remote/usage.js"
import { webhooks, webhooksPage } from "../remote/webhooks.js"
import { search, searchPage } from "../search.js"
import { serve, servePage, worker, workerPage } from "../serve.js"
import { transcribe, transcribePage } from "../transcribe.js"
import { webhook, webhookPage } from "../webhook.js"
import { accounts, accountsPage } from "./accounts.js"
import { backup, backupPage, restore, restorePage } from "./backup.js"
import { credits, creditsPage } from "./credits.js"
import { jobs, jobsPage } from "./jobs.js"
import { keys, keysPage } from "./keys.js"
import { migrate, migratePage } from "./migrate.js"

/** Every command, whole. */
export const whole = treeOf(
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
      doctor,
      accounts,
      keys,
      credits,
      jobs,
      migrate,
      backup,
      restore,
      login,
      config,
      exporting,
      search,
      upload,
      webhooks,
      usage,
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
    doctorPage,
    accountsPage,
    keysPage,
    creditsPage,
    jobsPage,
    migratePage,
    backupPage,
    restorePage,
    loginPage,
    configPage,
    exportPage,
    searchPage,
    uploadPage,
    webhooksPage,
    usagePage,
  ],
)
