import type { Scope } from "../session.js"
import { words } from "../words.js"
import { Empty } from "./States.js"

/** In place of what the session may not do. */
export const MayNot = ({ scope, isPage = false }: { readonly scope: Scope; readonly isPage?: boolean }) =>
  isPage ? (
    <Empty isPage title={words.app.mayNotTitle} text={words.app.mayNot(scope)} />
  ) : (
    <p class="soft">
      {words.app.mayNotTitle}. {words.app.mayNot(scope)}
    </p>
  )
