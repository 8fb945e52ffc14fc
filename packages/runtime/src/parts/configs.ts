import { DeliveryConfig, ServiceConfig, WorkerConfig } from "@earmark/service"
import { Layer } from "effect"
import type { Settings } from "../settings/Settings.js"

/** What the use cases and the loops want to know of the settings. */
export const configs = (settings: Settings) =>
  Layer.mergeAll(
    ServiceConfig.layer({
      billing: settings.billing,
      freeCredits: settings.freeCredits,
      longFormSeconds: settings.longFormSeconds,
      defaultQuality: settings.defaultQuality,
      allowAutomaticCaptions: settings.automaticCaptions,
      httpWebhooks: settings.webhookHttp,
      egressAllow: settings.egressAllow,
      maxUploadBytes: settings.maxUploadBytes,
      maxMediaMinutes: settings.maxMediaMinutes,
      maxWaitingJobs: settings.maxWaitingJobs,
      requestWait: settings.requestWait,
    }),
    WorkerConfig.layer({
      worker: settings.workerName,
      slots: settings.workers,
      accountConcurrency: settings.accountConcurrency,
      lease: settings.lease,
      grace: settings.grace,
      listeningCopy: settings.listeningCopy,
    }),
    DeliveryConfig.layer({
      backoff: settings.webhookBackoff,
      timeoutSeconds: settings.webhookTimeoutSeconds,
      grace: settings.grace,
    }),
  )
