/** A question, and its answer. The question is in the address. */
import { answered } from "../../data.js"
import { query, setQuery } from "../../router.js"
import { Button } from "../../widgets/Button.js"
import { Empty, LoadedView } from "../../widgets/States.js"
import { TextInput } from "../../widgets/TextInput.js"
import { askingWords } from "../../words/asking.js"
import { Answered } from "./Answered.js"

const text = askingWords
const LONGEST = 1000

const Form = ({ question }: { readonly question: string }) => (
  <form
    class="asking"
    onSubmit={(event) => {
      event.preventDefault()
      const typed = new FormData(event.currentTarget).get("question")
      setQuery({ question: String(typed ?? "").trim() }, { isStep: true })
    }}
  >
    <TextInput
      type="search"
      name="question"
      aria-label={text.field}
      placeholder={text.field}
      value={question}
      maxLength={LONGEST}
      autocomplete="off"
    />
    <Button type="submit" kind="primary">
      {text.submit}
    </Button>
  </form>
)

interface AskingProps {
  /** Of one transcript; null: of all. */
  readonly id: string | null
  readonly onPlay?: (seconds: number) => void
}

export const Asking = ({ id, onPlay }: AskingProps) => {
  const question = query.value.get("question") ?? ""
  const answer = answered.use([id, question])
  return (
    <>
      <Form question={question} />
      <LoadedView of={answer}>
        {(given) =>
          given === null ? (
            <Empty title={text.start} text={id === null ? text.startAll : text.startOne} />
          ) : (
            <Answered question={question} answer={given} {...(onPlay !== undefined && { onPlay })} />
          )
        }
      </LoadedView>
    </>
  )
}
