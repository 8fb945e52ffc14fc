/** Questions about all transcripts. */
import type { Params } from "../../addresses.js"
import { query } from "../../router.js"
import { PageHead } from "../../widgets/Page.js"
import { askingWords } from "../../words/asking.js"
import { words } from "../../words.js"
import { Asking } from "./Asking.js"

const text = askingWords

export const Page = (_: { readonly params: Params }) => {
  const question = query.value.get("question") || words.app.question
  return (
    <>
      <PageHead
        title={text.title}
        text={text.text}
        calls={[{ name: "transcriptions.askAll", body: { question, all: true } }]}
      />
      <Asking id={null} />
    </>
  )
}
