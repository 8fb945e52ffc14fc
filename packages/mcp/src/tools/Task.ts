import type { CallToolResult } from "@modelcontextprotocol/server"

/** A task on the wire. */
export interface Task {
  readonly taskId: string
  readonly status: "working" | "completed" | "cancelled"
  readonly statusMessage: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  readonly ttlMs: number | null
  readonly pollIntervalMs: number
  /** What the tool answers, once the work has ended. */
  readonly result?: CallToolResult
}
