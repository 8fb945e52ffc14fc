import { Dialog } from "../../widgets/Dialog.js"
import { Kept } from "../../widgets/Once.js"
import { building } from "../../words/building.js"

const text = building.webhooks

/** The secret of an endpoint, which is shown once. */
export const NewSecret = ({ of, onClose }: { readonly of: string; readonly onClose: () => void }) => (
  <Dialog title={text.secret} onClose={onClose} isFirm>
    <Kept text={text.secretText} label={text.secret} value={of} onClose={onClose} />
  </Dialog>
)
