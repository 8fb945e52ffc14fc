import type { ComponentType } from "preact"
import { NewVersion } from "./NewVersion.js"
import { Loading } from "./States.js"
import { useLater } from "./useLater.js"

/** A component whose code is loaded once it is shown. */
export const later =
  <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  (props: Props) => {
    const shown = useLater(load)
    if (shown === null) return <Loading />
    return shown === "failed" ? <NewVersion /> : <shown.Component {...props} />
  }
