import type { Signal } from "@preact/signals"
import { words } from "../words.js"
import { Button } from "./Button.js"

/** The most that a page of a list may have. */
const MOST = 100

/** Makes a list longer, up to the longest page of the API. */
export const More = ({ limit }: { readonly limit: Signal<number> }) =>
  limit.value >= MOST ? (
    <p class="more soft">{words.app.most}</p>
  ) : (
    <p class="more">
      <Button
        onClick={() => {
          limit.value = MOST
        }}
      >
        {words.app.more}
      </Button>
    </p>
  )
