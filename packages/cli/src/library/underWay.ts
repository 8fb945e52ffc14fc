/** What is under way on this machine, and what was, until its process ended without a word. */
import { hostname } from "node:os"
import { failureOf } from "@earmark/core/jobs"
import { isAlive, startOf } from "../processes.js"
import type { Head } from "./Head.js"

/** Why something has no text that was stopped, and what to do. */
export const STOPPED =
  "It was stopped. earmark jobs retry goes on where it was, as does the command that it was begun with."

/** Whether its process is there. One of another machine that shares the folder cannot be asked. */
export const isUnderWay = ({ job, run }: Head): boolean =>
  job.status === "queued" &&
  run !== null &&
  (run.host !== hostname() || (isAlive(run.pid) && startOf(run.pid) === run.started))

/** The job as it stands now. */
export const jobOf = (head: Head): Head["job"] => {
  const { job } = head
  if (job.status !== "queued" || isUnderWay(head)) return job
  return {
    ...job,
    status: "failed",
    phase: null,
    completed_at: job.created_at,
    error: STOPPED,
    failure: failureOf("canceled", { attempts: 1 }),
  }
}
