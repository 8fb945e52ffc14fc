import type { ComponentType } from "preact"
import { Dialog } from "./Dialog.js"
import { NewVersion } from "./NewVersion.js"
import { Loading } from "./States.js"
import { useLater } from "./useLater.js"

/** A dialog whose code is loaded once it is opened. */
export const dialogLater =
  <Props extends { readonly onClose: () => void }>(
    title: string,
    load: () => Promise<ComponentType<Props>>,
    isWide = false,
  ) =>
  (props: Props) => {
    const shown = useLater(load)
    if (shown !== null && shown !== "failed") return <shown.Component {...props} />
    return (
      <Dialog title={title} onClose={props.onClose} isWide={isWide}>
        {shown === null ? <Loading /> : <NewVersion />}
      </Dialog>
    )
  }
