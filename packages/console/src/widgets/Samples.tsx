import { type CallShown, curlOf, typescriptOf } from "../calls.js"
import { Copy } from "./Once.js"

const Sample = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <section class="sample">
    <header>
      <h3>{name}</h3>
      <Copy text={text} />
    </header>
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  </section>
)

/** Calls of the API, ready to be pasted. */
export const Samples = ({ of }: { readonly of: ReadonlyArray<CallShown> }) => (
  <>
    <Sample name="curl" text={of.map(curlOf).join("\n\n")} />
    <Sample name="TypeScript" text={typescriptOf(of)} />
  </>
)
