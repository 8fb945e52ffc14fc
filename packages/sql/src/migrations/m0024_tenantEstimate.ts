/**
 * The walls between tenants let through what they did, and the planner no longer expects one row of a hundred behind them: lists
 * of large accounts read and sorted thousands of rows for a page of twenty, where their index has these in order.
 */
export const sql = `
DO $$
DECLARE wall record;
BEGIN
  FOR wall IN
    SELECT tablename, policyname FROM pg_policies WHERE schemaname = current_schema()
      AND qual = (SELECT qual FROM pg_policies WHERE schemaname = current_schema() AND policyname = 'job_tenant')
  LOOP
    EXECUTE format(
      'ALTER POLICY %I ON %I USING (CASE coalesce((SELECT current_setting(''earmark.account'', true)), '''') '
        'WHEN '''' THEN true ELSE account_id = (SELECT current_setting(''earmark.account'', true)) END)',
      wall.policyname, wall.tablename
    );
  END LOOP;
END $$;
`
