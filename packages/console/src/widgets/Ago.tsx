import { agoOf, momentOf } from "../format.js"

/** How long ago; the moment itself is told where one points at it. */
export const Ago = ({ of }: { readonly of: string }) => <span title={momentOf(of)}>{agoOf(of)}</span>
