#!/usr/bin/env node
// @effect-diagnostics strictEffectProvide:off -- this is the one place that composes
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { run } from "./cli.js"

NodeRuntime.runMain(Effect.provide(run(process.argv), NodeContext.layer))
