import { Effect } from "effect"
import { keeping, suiteCatches } from "./breaking.js"
import { breaking, breakingTables } from "./breakingJobs.js"

suiteCatches("JobStore", [
  breakingTables(
    "changes a job that has ended",
    ({ jobs }) => ({
      jobs: {
        ...jobs,
        get: (key) => {
          const job = jobs.get(key)
          if (job?.state.status !== "failed") return job
          const { run, startedAt } = job.state
          const state = {
            status: "queued",
            phase: "waiting",
            progress: 0,
            run,
            startedAt,
            waitingSince: null,
          } as const
          return { ...job, state }
        },
      },
    }),
    "canceling a queued job ends it",
    "whatever happens, in whatever order",
  ),
  breaking(
    "retries with options of today",
    (store) => ({
      retry: (account, id, hold) =>
        Effect.map(store.retry(account, id, hold), (job) => ({
          ...job,
          options: { ...job.options, diarize: !job.options.diarize },
        })),
    }),
    "a retry is the next run of the same job",
  ),
  breakingTables(
    "takes a retry for the first run",
    ({ jobs }) => ({
      jobs: keeping(jobs, (job) =>
        job.state.status === "failed" ? { ...job, state: { ...job.state, run: -1 } } : job,
      ),
    }),
    "a job that fails again after a retry tells so under an id of its own",
  ),
  breakingTables(
    "does not tell of ends",
    ({ deliveries }) => ({ deliveries: { ...deliveries, set: () => {} } }),
    "a job that is done at once",
    "canceling a queued job ends it",
    "events go to the endpoints of the account that want them",
    "whatever happens, in whatever order",
  ),
  breakingTables(
    "tells of an end twice",
    ({ deliveries, newId }) => ({
      deliveries: {
        ...deliveries,
        set: (key, row) => {
          deliveries.set(key, row)
          if (row.attempts === 0) deliveries.set(newId("delivery"), row)
        },
      },
    }),
    "canceling a queued job ends it",
    "a done job stays as it is, whatever comes",
    "whatever happens, in whatever order",
  ),
  breakingTables(
    "tells endpoints of other accounts",
    ({ endpoints }) => ({
      endpoints: { ...endpoints, filter: () => [...endpoints.values()] },
    }),
    "events go to the endpoints of the account that want them",
  ),
  breakingTables(
    "leaves the work of an ended job in the queue",
    ({ entries }) => ({ entries: { ...entries, delete: () => {} } }),
    "canceling a queued job ends it",
    "a canceled job is lost to its worker",
  ),
  breaking(
    "sweeps nothing",
    () => ({ sweep: () => Effect.succeed(0) }),
    "what is past its retention",
    "a job that waited three days",
  ),
])
