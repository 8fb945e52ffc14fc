import { Command } from "@effect/cli"
import { Effect } from "effect"
import type { Page } from "../help.js"
export const captions = Command.make("captions", {}, () => Effect.void)
export const captionsPage: Page = {
  name: "captions",
  descriptor: captions.descriptor,
  examples: [],
  children: [],
}
