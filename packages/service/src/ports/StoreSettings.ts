import { Context } from "effect"

/** What stores need to know to write what follows from a change by themselves. */
export class StoreSettings extends Context.Reference<StoreSettings>()("@earmark/service/StoreSettings", {
  defaultValue: () => ({
    /** Where clients reach the service: events hold the address of their job. */
    baseUrl: "http://127.0.0.1:8787",
    /** How often a job is taken up in one run before it fails. */
    maxAttempts: 3,
  }),
}) {}
