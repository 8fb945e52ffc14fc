/** Purchases can be canceled. */
export const sql = `
ALTER TABLE payment
  DROP CONSTRAINT payment_state_check,
  ADD CONSTRAINT payment_state_check
    CHECK (state IN ('pending', 'processing', 'action_required', 'succeeded', 'failed', 'canceled'));
`
