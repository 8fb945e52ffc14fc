import type { ComponentType, VNode } from "preact"
import { NewVersion } from "./NewVersion.js"
import { Loading } from "./States.js"
import { useLater } from "./useLater.js"

/** A component whose code is loaded once it is shown. `meanwhile`: what stands in its place until then. */
export const later =
  <Props extends object>(load: () => Promise<ComponentType<Props>>, meanwhile: VNode | null = <Loading />) =>
  (props: Props) => {
    const shown = useLater(load)
    if (shown === null) return meanwhile
    return shown === "failed" ? <NewVersion /> : <shown.Component {...props} />
  }
