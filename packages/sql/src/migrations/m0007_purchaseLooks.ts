/** Purchases are asked after when no notice of them comes. */
export const sql = `
ALTER TABLE payment
  ADD COLUMN checkout text,
  -- When the provider is asked next; null when there is nothing to ask.
  ADD COLUMN look_at timestamptz;
CREATE INDEX payment_look ON payment (look_at) WHERE look_at IS NOT NULL;
`
