/** Usage counts minutes that were transcribed, and apart from them the credits. Null: written before, when both were one number. */
export const sql = `
ALTER TABLE usage_entry ADD COLUMN credits bigint;
`
