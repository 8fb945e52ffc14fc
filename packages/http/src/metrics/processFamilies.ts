/** What this process needs of the machine. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import type { Family } from "./exposition.js"

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6

const single = (name: string, type: Family["type"], help: string, value: number): Family => ({
  name,
  type,
  help,
  samples: [{ labels: {}, value }],
})

/** Watches the process from now on. */
export const watchProcess = () => {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()

  const families = (): ReadonlyArray<Family> => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const { mean, max } = delay
    const lag = Number.isFinite(mean) ? mean / NANOSECONDS : 0
    const longest = Number.isFinite(mean) ? max / NANOSECONDS : 0
    // Each scrape tells of the time since the one before.
    delay.reset()
    return [
      single(
        "process_cpu_seconds_total",
        "counter",
        "Time of the processor, of users and system.",
        (user + system) / MICROSECONDS,
      ),
      single("process_resident_memory_bytes", "gauge", "Memory that is in use.", rss),
      single(
        "process_start_time_seconds",
        "gauge",
        "When the process began, in unix seconds.",
        Math.round(performance.timeOrigin / 1000),
      ),
      single("nodejs_heap_used_bytes", "gauge", "Memory that JavaScript uses.", heapUsed),
      single(
        "nodejs_eventloop_delay_mean_seconds",
        "gauge",
        "How late timers were in the mean since the scrape before.",
        lag,
      ),
      single(
        "nodejs_eventloop_delay_max_seconds",
        "gauge",
        "How late timers were at most since the scrape before.",
        longest,
      ),
    ]
  }

  return { families, stop: () => delay.disable() }
}
