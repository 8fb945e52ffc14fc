import { catalogue } from "@earmark/engines"
import type { Shell } from "../grammar/Grammar.js"
import { bashCompletions } from "./bash.js"
import { describeAll } from "./described.js"
import { fishCompletions } from "./fish.js"
import { zshCompletions } from "./zsh.js"

const writers = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions }

/** The completion script of a shell for every command of the table. */
export const completionsFor = (shell: Shell): string =>
  writers[shell](describeAll(catalogue.map(({ id }) => id)))
