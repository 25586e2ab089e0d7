/** The triggers by which a PostgreSQL database tells at once that rows were written: SQL that an operator runs. */

/** What they notify. */
export const CHANGES_CHANNEL = 'tablewire_changes'

/** The function that they call; without it, nobody listens. */
export const CHANGES_FUNCTION = 'public.tablewire_tell_changes()'

/** Installs them on all tables, and may be run again after new ones; says how to remove them. */
export const CHANGE_TRIGGERS = `-- Tells Tablewire at once that rows were written, with nothing of them. Run this again after new tables.
-- To remove all of it: drop function ${CHANGES_FUNCTION} cascade;
begin;
create or replace function ${CHANGES_FUNCTION} returns trigger language plpgsql as $tell$
begin
  perform pg_notify('${CHANGES_CHANNEL}', '');
  return null;
end
$tell$;
do $install$
declare place text;
begin
  for place in
    select c.oid::regclass::text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  loop
    execute 'drop trigger if exists tablewire_tell_changes on ' || place;
    execute 'create trigger tablewire_tell_changes after insert or update or delete or truncate on ' || place
      || ' for each statement execute function ${CHANGES_FUNCTION}';
  end loop;
end
$install$;
commit;
`
