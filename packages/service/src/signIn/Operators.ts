import { Context } from "effect"
import type { Identity } from "../ports/AccountLinks.js"

/** The people who operate the server when they sign in at their identity provider. The owner of the server lets in others with sign-in links. */
export class Operators extends Context.Reference<Operators>()("@earmark/service/Operators", {
  defaultValue: (): ReadonlyArray<Identity> => [],
}) {}
