import { Dialog } from "../../widgets/Dialog.js"
import { NewVersion } from "../../widgets/NewVersion.js"
import { Loading } from "../../widgets/States.js"
import { words } from "../../words.js"
import { useLater } from "../Transcript/useLater.js"
import type { StartAgainProps } from "./StartAgain.js"

/** The question of what to start again costs; its code is loaded once it is asked. */
export const StartAgainLater = (props: StartAgainProps) => {
  const shown = useLater(async () => (await import("./StartAgain.js")).StartAgain)
  if (shown !== null && shown !== "failed") return <shown.Component {...props} />
  return (
    <Dialog title={words.list.retry} onClose={props.onClose}>
      {shown === null ? <Loading /> : <NewVersion />}
    </Dialog>
  )
}
