import { Command } from "@effect/cli"
import { Effect } from "effect"
import type { Page } from "../help.js"
export const feed = Command.make("feed", {}, () => Effect.void)
export const feedPage: Page = { name: "feed", descriptor: feed.descriptor, examples: [], children: [] }
