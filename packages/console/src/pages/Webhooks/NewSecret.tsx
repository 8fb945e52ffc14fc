import { momentOf } from "../../format.js"
import { Dialog } from "../../widgets/Dialog.js"
import { Kept } from "../../widgets/Once.js"
import { building } from "../../words/building.js"

const text = building.webhooks

interface NewSecretProps {
  readonly of: string
  /** When the secret before ends. */
  readonly oldUntil?: string | null
  readonly onClose: () => void
}

/** The secret of an endpoint, which is shown once. */
export const NewSecret = ({ of, oldUntil = null, onClose }: NewSecretProps) => (
  <Dialog title={text.secret} onClose={onClose} isFirm>
    {oldUntil !== null && <p>{text.oldUntil(momentOf(oldUntil))}</p>}
    <Kept text={text.secretText} label={text.secret} value={of} onClose={onClose} />
  </Dialog>
)
