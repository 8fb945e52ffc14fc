import type { Page } from "../help.js"
import { bashCompletions } from "./bash.js"
import { describeAll } from "./described.js"
import { fishCompletions } from "./fish.js"
import { zshCompletions } from "./zsh.js"

const writers = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions }

export type Shell = keyof typeof writers

/** The completion script of a shell for every command of the tree. */
export const completionsFor = (shell: Shell, root: Page): string => writers[shell](describeAll(root))
