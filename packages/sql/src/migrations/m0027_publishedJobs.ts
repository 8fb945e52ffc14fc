/** A job says itself whether it is published. Its publication alone changes that. */
export const sql = `
ALTER TABLE job ADD COLUMN published_at timestamptz;
UPDATE job SET published_at = p.published_at FROM publication p WHERE p.job_id = job.id;

CREATE FUNCTION earmark_published() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE job SET published_at = NULL, version = version + 1 WHERE id = OLD.job_id;
  ELSE
    -- A restored job knows it already.
    UPDATE job SET published_at = NEW.published_at, version = version + 1
    WHERE id = NEW.job_id AND published_at IS DISTINCT FROM NEW.published_at;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER publication_of_job AFTER INSERT OR DELETE ON publication
  FOR EACH ROW EXECUTE FUNCTION earmark_published();
`
