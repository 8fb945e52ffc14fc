/** The tasks extension: work that goes on after a call was answered, followed by the id of the job itself. Nothing is stored for it. */
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { Schema } from "effect"
import { abilitiesOf, TASKS_EXTENSION } from "./abilities.js"
import type { Served, ServedTasks } from "./Served.js"

const ById = Schema.standardSchemaV1(Schema.Struct({ taskId: Schema.String }))
const Anything = Schema.standardSchemaV1(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** What a client that does not follow tasks is told. */
const tasksNotDeclared = () =>
  new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  })

/** Answers `tasks/get`, `tasks/cancel` and `tasks/update`. */
export const serveTasks = (server: Server, served: Served): void => {
  const found = async <Value>(
    context: ServerContext,
    taskId: string,
    look: (family: ServedTasks) => Promise<Value | null>,
  ): Promise<Value> => {
    if (!abilitiesOf(server, context).takesTasks) throw tasksNotDeclared()
    for (const family of served.tasks ?? []) {
      const value = await look(family)
      if (value !== null) return value
    }
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task ${taskId}`)
  }

  server.setRequestHandler("tasks/get", { params: ById, result: Anything }, async ({ taskId }, context) => ({
    resultType: "complete",
    ...(await found(context, taskId, ({ get }) => get(taskId, context))),
  }))
  server.setRequestHandler(
    "tasks/cancel",
    { params: ById, result: Anything },
    async ({ taskId }, context) => {
      await found(context, taskId, ({ cancel }) => cancel(taskId, context))
      return { resultType: "complete" }
    },
  )
  server.setRequestHandler(
    "tasks/update",
    { params: ById, result: Anything },
    async ({ taskId }, context) => {
      await found(context, taskId, ({ update }) => update(taskId, context))
      return { resultType: "complete" }
    },
  )
}
