/** What is under way on this machine, and what was, until its process ended without a word. */
import { hostname } from "node:os"
import { failureOf } from "@earmark/core/jobs"
import type { Explain } from "../Problem.js"
import { isAlive, startOf } from "../state/processes.js"
import type { Head } from "./Head.js"

/** Whether its process is there. One of another machine that shares the folder cannot be asked. */
export const isUnderWay = ({ job, run }: Head): boolean =>
  job.status === "queued" &&
  run !== null &&
  (run.host !== hostname() || (isAlive(run.pid) && startOf(run.pid) === run.started))

/** The job as it stands now. */
export const jobOf = (head: Head, explain: Explain): Head["job"] => {
  const { job } = head
  if (job.status !== "queued" || isUnderWay(head)) return job
  return {
    ...job,
    status: "failed",
    phase: null,
    completed_at: job.created_at,
    error: explain({ reason: "stopped" }),
    failure: failureOf("canceled", { attempts: 1 }),
  }
}
