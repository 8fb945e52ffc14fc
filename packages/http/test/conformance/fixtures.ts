/** What the conformance suite calls: tools, resources and prompts that do nothing else. */
import { nothingServed, type Served } from "@earmark/mcp"
import { askingTools } from "./fixtures/askingTools.js"
import { contentTools } from "./fixtures/contentTools.js"
import { families, prompts, resources } from "./fixtures/readables.js"
import { taskFixtures } from "./fixtures/tasks.js"

/** Fixtures that `tell` that a list has changed. */
export const fixtures = (tell: (list: "tools" | "prompts") => void): Served => {
  const { tools, tasks = [] } = taskFixtures()
  return {
    ...nothingServed,
    tools: [...contentTools(tell), ...askingTools, ...tools],
    resources,
    families,
    prompts,
    tasks,
  }
}
