/** The indexes and views of the demo, created after its rows. */

/** Indexes for sorting include the key, by which lists break ties. */
export const indexes = `
CREATE INDEX airports_name ON airports (name, id);
CREATE INDEX airports_state ON airports (state, id);
CREATE INDEX species_parent ON species (parent_id);
CREATE INDEX reporters_airport ON reporters (airport_id);
CREATE INDEX strikes_airport ON strikes (airport_id, id);
CREATE INDEX strikes_date ON strikes (incident_date, id);
CREATE INDEX strikes_aircraft_type ON strikes (aircraft_type_id, id);
CREATE INDEX strikes_operator ON strikes (operator_id, id);
CREATE INDEX strikes_species ON strikes (species_id, id);
CREATE INDEX strikes_status ON strikes (status, id);
CREATE INDEX strikes_reporter ON strikes (reporter_id, id);
CREATE INDEX strikes_duplicate_of ON strikes (duplicate_of_id);
CREATE INDEX strikes_cost_total ON strikes (cost_total_usd, id);
CREATE INDEX strike_events_strike ON strike_events (strike_id);
CREATE INDEX strike_events_happened ON strike_events (happened_at, id);
CREATE INDEX strike_events_actor ON strike_events (actor_id);
CREATE INDEX comments_strike ON comments (strike_id);
CREATE INDEX comments_author ON comments (author_id);
CREATE INDEX comments_written ON comments (written_at, id);
CREATE INDEX damage_reports_strike ON damage_reports (strike_id);
CREATE INDEX damage_reports_inspector ON damage_reports (inspector_id);
CREATE INDEX airport_operators_operator ON airport_operators (operator_id);
CREATE INDEX airport_operators_first ON airport_operators (first_strike_id);
CREATE INDEX airport_operators_last ON airport_operators (last_strike_id);
CREATE INDEX routes_destination ON routes (destination_id);
CREATE INDEX inspections_position ON inspections (position, id);
CREATE INDEX inspections_due ON inspections (due_on, id);
CREATE INDEX inspections_airport ON inspections (airport_id);
CREATE INDEX inspections_assigned_to ON inspections (assigned_to_id);
CREATE INDEX inspection_strikes_strike ON inspection_strikes (strike_id);
`

export const views = `
CREATE VIEW strikes_by_month AS
SELECT
  substr(incident_date, 1, 7) AS month,
  count(*) AS strikes,
  count(*) FILTER (WHERE damage <> 'None') AS with_damage,
  sum(cost_total_usd) AS cost_total_usd,
  round(avg(speed_kt)) AS mean_speed_kt
FROM strikes
GROUP BY month;

CREATE VIEW costly_strikes AS
SELECT
  strikes.id,
  strikes.airport_name,
  strikes.incident_date,
  aircraft_types.name AS aircraft,
  operators.name AS operator,
  species.name AS species,
  strikes.damage,
  strikes.cost_total_usd,
  strikes.status
FROM strikes
JOIN aircraft_types ON aircraft_types.id = strikes.aircraft_type_id
JOIN operators ON operators.id = strikes.operator_id
JOIN species ON species.id = strikes.species_id
WHERE strikes.cost_total_usd >= 10000;
`
