/** Shown where code of this page could not be loaded. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { words } from "../words.js"
import { Button } from "./Button.js"
import { Empty, Loading } from "./States.js"

/** Whether the server has another build than the one that runs here. Where it does not answer, it is the connection that fails. */
const isReplaced = async (): Promise<boolean> => {
  const own = document.querySelector<HTMLScriptElement>("script[type=module]")
  const response = await fetch("/console", { cache: "no-store" })
  return response.ok && own !== null && !(await response.text()).includes(new URL(own.src).pathname)
}

const SAYINGS = {
  replaced: [words.app.newVersion, words.app.newVersionText],
  broken: [words.failed.title, words.failed.code],
} as const

/** Says whether a new version is there, or the connection failed. What is not saved is kept as a draft over the reload. */
export const NewVersion = ({ isPage = false }: { readonly isPage?: boolean }) => {
  const found = useSignal<keyof typeof SAYINGS | null>(null)
  useEffect(() => {
    isReplaced().then(
      (is) => {
        found.value = is ? "replaced" : "broken"
      },
      () => {
        found.value = "broken"
      },
    )
  }, [])
  if (found.value === null) return <Loading />
  const [title, text] = SAYINGS[found.value]
  return (
    <Empty isPage={isPage} title={title} text={text}>
      <Button kind="primary" onClick={() => location.reload()}>
        {words.app.reload}
      </Button>
    </Empty>
  )
}
