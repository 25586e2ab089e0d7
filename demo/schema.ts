/** The tables of the demo. Lists show the first dozen columns, so the important ones come first. */

export const tables = `
CREATE TABLE airports (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE CHECK (length(code) BETWEEN 3 AND 4),
  name TEXT NOT NULL,
  city TEXT,
  state TEXT,
  country TEXT NOT NULL,
  latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
  longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180)
) STRICT;

CREATE TABLE operators (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('airline', 'cargo', 'military', 'business', 'other')),
  icao_code TEXT UNIQUE
) STRICT;

CREATE TABLE species (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  scientific_name TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('bird', 'mammal', 'unknown')),
  parent_id INTEGER REFERENCES species (id)
) STRICT;

CREATE TABLE aircraft_types (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  make TEXT,
  category TEXT CHECK (
    category IN ('airliner', 'commuter', 'business', 'light', 'military', 'helicopter')
  ),
  designation TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE reporters (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('analyst', 'biologist', 'inspector', 'supervisor')),
  airport_id INTEGER REFERENCES airports (id),
  joined_on TEXT NOT NULL CHECK (joined_on IS date(joined_on)),
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
) STRICT;

CREATE TABLE strikes (
  id INTEGER PRIMARY KEY,
  airport_name TEXT NOT NULL,
  incident_date TEXT NOT NULL CHECK (incident_date IS date(incident_date)),
  aircraft_type_id INTEGER NOT NULL REFERENCES aircraft_types (id),
  operator_id INTEGER NOT NULL REFERENCES operators (id),
  species_id INTEGER NOT NULL REFERENCES species (id),
  phase TEXT NOT NULL CHECK (
    phase IN ('Parked', 'Taxi', 'Take-off run', 'Climb', 'Descent', 'Approach', 'Landing roll')
  ),
  speed_kt INTEGER CHECK (speed_kt BETWEEN 0 AND 600),
  cost_repair_usd INTEGER CHECK (cost_repair_usd >= 0),
  cost_total_usd INTEGER CHECK (cost_total_usd >= cost_repair_usd),
  status TEXT NOT NULL DEFAULT 'new' CHECK (
    status IN ('new', 'review', 'verified', 'closed', 'disputed')
  ),
  reporter_id INTEGER REFERENCES reporters (id),
  time_of_day TEXT CHECK (time_of_day IN ('Dawn', 'Day', 'Dusk', 'Night')),
  airport_id INTEGER REFERENCES airports (id),
  cost_other_usd INTEGER CHECK (cost_other_usd >= 0),
  height_ft INTEGER CHECK (height_ft >= 0),
  damage TEXT NOT NULL CHECK (
    damage IN ('None', 'Minor', 'Medium', 'Substantial', 'Class C', 'Class B')
  ),
  effect TEXT CHECK (
    effect IN ('Precautionary landing', 'Aborted take-off', 'Engine shutdown', 'Other')
  ),
  wildlife_size TEXT CHECK (wildlife_size IN ('Small', 'Medium', 'Large')),
  number_struck INTEGER NOT NULL DEFAULT 1 CHECK (number_struck >= 1),
  sky TEXT CHECK (sky IN ('No cloud', 'Some cloud', 'Overcast')),
  precipitation TEXT CHECK (precipitation IN ('None', 'Fog', 'Rain', 'Snow')),
  duplicate_of_id INTEGER REFERENCES strikes (id),
  received_at TEXT NOT NULL,
  reviewed_at TEXT,
  remarks TEXT
) STRICT;

CREATE TABLE strike_events (
  id INTEGER PRIMARY KEY,
  strike_id INTEGER NOT NULL REFERENCES strikes (id) ON DELETE CASCADE,
  happened_at TEXT NOT NULL,
  from_status TEXT CHECK (from_status IN ('new', 'review', 'verified', 'closed', 'disputed')),
  to_status TEXT NOT NULL CHECK (
    to_status IN ('new', 'review', 'verified', 'closed', 'disputed')
  ),
  actor_id INTEGER REFERENCES reporters (id),
  note TEXT
) STRICT;

CREATE TABLE comments (
  id INTEGER PRIMARY KEY,
  strike_id INTEGER NOT NULL REFERENCES strikes (id) ON DELETE CASCADE,
  author_id INTEGER NOT NULL REFERENCES reporters (id),
  written_at TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE damage_reports (
  id INTEGER PRIMARY KEY,
  strike_id INTEGER NOT NULL REFERENCES strikes (id) ON DELETE CASCADE,
  part TEXT NOT NULL CHECK (
    part IN (
      'Engine', 'Wing or rotor', 'Radome', 'Windshield', 'Nose', 'Landing gear', 'Fuselage',
      'Tail', 'Lights'
    )
  ),
  damage TEXT NOT NULL CHECK (
    damage IN ('Minor', 'Medium', 'Substantial', 'Class C', 'Class B')
  ),
  estimate_usd INTEGER CHECK (estimate_usd >= 0),
  out_of_service_hours INTEGER CHECK (out_of_service_hours >= 0),
  repaired_on TEXT,
  inspector_id INTEGER REFERENCES reporters (id),
  description TEXT NOT NULL
) STRICT;

CREATE TABLE airport_operators (
  airport_id INTEGER NOT NULL REFERENCES airports (id),
  operator_id INTEGER NOT NULL REFERENCES operators (id),
  reports INTEGER NOT NULL CHECK (reports >= 1),
  first_strike_id INTEGER NOT NULL REFERENCES strikes (id),
  last_strike_id INTEGER NOT NULL REFERENCES strikes (id),
  PRIMARY KEY (airport_id, operator_id)
) STRICT;

CREATE TABLE routes (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  origin_id INTEGER NOT NULL REFERENCES airports (id),
  destination_id INTEGER NOT NULL REFERENCES airports (id),
  year INTEGER NOT NULL,
  flights INTEGER NOT NULL CHECK (flights >= 0),
  distance_mi INTEGER CHECK (distance_mi >= 0),
  UNIQUE (origin_id, destination_id, year)
) STRICT;

CREATE TABLE inspections (
  id INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,
  title TEXT NOT NULL,
  airport_id INTEGER NOT NULL REFERENCES airports (id),
  priority TEXT NOT NULL DEFAULT 'normal' CHECK (
    priority IN ('low', 'normal', 'high', 'urgent')
  ),
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (
    state IN ('waiting', 'scheduled', 'in progress', 'blocked')
  ),
  due_on TEXT CHECK (due_on IS date(due_on)),
  assigned_to_id INTEGER REFERENCES reporters (id)
) STRICT;

CREATE TABLE inspection_strikes (
  inspection_id INTEGER NOT NULL REFERENCES inspections (id) ON DELETE CASCADE,
  strike_id INTEGER NOT NULL REFERENCES strikes (id) ON DELETE CASCADE,
  PRIMARY KEY (inspection_id, strike_id)
) STRICT;
`
