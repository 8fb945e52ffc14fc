import { type CallShown, curlOf, isChange, typescriptOf } from "../calls.js"
import { building } from "../words/building.js"
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

/** Calls of the API, ready to be pasted: what reads together, and each that changes something by itself. */
export const Samples = ({ of }: { readonly of: ReadonlyArray<CallShown> }) => (
  <>
    {[of.filter((call) => !isChange(call)), ...of.filter(isChange).map((call) => [call])]
      .filter(({ length }) => length > 0)
      .map((calls) => (
        <div class="stack" key={calls[0]?.name}>
          {calls.some(isChange) && <p>{building.samples.changes}</p>}
          <Sample name="curl" text={calls.map(curlOf).join("\n\n")} />
          <Sample name="TypeScript" text={typescriptOf(calls)} />
        </div>
      ))}
  </>
)
