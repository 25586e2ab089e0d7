-- Synthea (Apache 2.0, synthetichealth/synthea): a clinic's records
create table organizations ( -- 20 rows
  Id uuid primary key, -- uuid
  NAME varchar, -- company
  ADDRESS varchar, -- street
  CITY varchar, -- city
  STATE varchar, -- region
  ZIP varchar, -- postal
  LAT decimal(9,6), -- 41.000000..42.900000
  LON decimal(9,6), -- -73.000000..-70.000000
  PHONE varchar, -- phone
  REVENUE decimal(12,2), -- 1000.00..900000.00
  UTILIZATION integer -- 1..4000
);
-- label NAME | first NAME REVENUE | kinds REVENUE=money LAT=coordinate STATE=text PHONE=text UTILIZATION=number Id=key
create table providers ( -- 30 rows
  Id uuid primary key, -- uuid
  ORGANIZATION uuid references organizations (Id),
  NAME varchar, -- full
  GENDER varchar, -- F | M
  SPECIALITY varchar, -- GENERAL PRACTICE | PEDIATRICS | NURSE PRACTITIONER
  CITY varchar, -- city
  STATE varchar, -- region
  ZIP varchar, -- postal
  ENCOUNTERS integer -- 1..900
);
-- label NAME | first NAME ORGANIZATION | kinds GENDER=text ENCOUNTERS=number ZIP=text
create table patients ( -- 50 rows
  Id uuid primary key, -- uuid
  BIRTHDATE date, -- day
  DEATHDATE date, -- day ?80
  SSN varchar, -- like 999-12-3456
  DRIVERS varchar, -- like S99912345 ?20
  PREFIX varchar, -- Mr. | Mrs. | Ms. | null
  FIRST varchar, -- first
  LAST varchar, -- last
  SUFFIX varchar, -- null
  MARITAL varchar, -- M | S | null
  RACE varchar, -- white | black | asian
  GENDER varchar, -- M | F
  CITY varchar, -- city
  ZIP varchar, -- postal
  LAT decimal(9,6), -- 41.000000..42.900000
  HEALTHCARE_EXPENSES decimal(12,2), -- 1000.00..900000.00
  INCOME integer -- 9000..200000
);
-- label FIRST LAST | first FIRST LAST | last SUFFIX | kinds LAT=coordinate HEALTHCARE_EXPENSES=money MARITAL=text BIRTHDATE=date
create table payers ( -- 10 rows
  Id uuid primary key, -- uuid
  NAME varchar, -- company
  ADDRESS varchar, -- null
  STATE_HEADQUARTERED varchar, -- code 2
  PHONE varchar, -- phone
  AMOUNT_COVERED decimal(12,2), -- 1000.00..900000.00
  AMOUNT_UNCOVERED decimal(12,2), -- 1000.00..900000.00
  COVERED_ENCOUNTERS integer, -- 1..9000
  UNIQUE_CUSTOMERS integer -- 1..900
);
-- label NAME | first NAME AMOUNT_COVERED | last ADDRESS | kinds AMOUNT_COVERED=money COVERED_ENCOUNTERS=number UNIQUE_CUSTOMERS=number
create table encounters ( -- 80 rows
  Id uuid primary key, -- uuid
  START datetime, -- rise
  STOP datetime, -- rise
  PATIENT uuid references patients (Id),
  ORGANIZATION uuid references organizations (Id),
  PROVIDER uuid references providers (Id),
  PAYER uuid references payers (Id),
  ENCOUNTERCLASS varchar, -- ambulatory | emergency | inpatient | wellness
  CODE varchar, -- 185345009 | 162673000 | 410620009
  DESCRIPTION varchar, -- Encounter for symptom | General examination of patient | Well child visit
  BASE_ENCOUNTER_COST decimal(9,2), -- 80.00..160.00
  TOTAL_CLAIM_COST decimal(9,2), -- 80.00..9000.00
  REASONCODE varchar -- null
);
-- label none | sort -START | last REASONCODE | kinds TOTAL_CLAIM_COST=money BASE_ENCOUNTER_COST=money CODE=text PATIENT=relation
create table conditions ( -- 60 rows
  ID integer primary key,
  START date, -- riseday
  STOP date, -- day ?40
  PATIENT uuid references patients (Id),
  ENCOUNTER uuid references encounters (Id),
  CODE varchar, -- 444814009 | 195662009 | 10509002
  DESCRIPTION varchar -- Viral sinusitis | Acute viral pharyngitis | Acute bronchitis
);
-- label none | first ID PATIENT ENCOUNTER START | sort -START | kinds CODE=text ENCOUNTER=relation
create table medications ( -- 60 rows
  ID integer primary key,
  START datetime, -- rise
  STOP datetime, -- time ?30
  PATIENT uuid references patients (Id),
  PAYER uuid references payers (Id),
  CODE integer, -- 100000..999999
  DESCRIPTION varchar, -- Amoxicillin 250 MG | Ibuprofen 200 MG | Naproxen 220 MG
  BASE_COST decimal(9,2), -- 1.00..400.00
  DISPENSES integer, -- 1..12
  TOTALCOST decimal(9,2) -- 1.00..900.00
);
-- label none | first ID TOTALCOST PATIENT PAYER START | sort -START | kinds BASE_COST=money DISPENSES=number CODE=key TOTALCOST=money
create table observations ( -- 90 rows
  ID integer primary key,
  DATE datetime, -- rise
  PATIENT uuid references patients (Id),
  ENCOUNTER uuid references encounters (Id),
  CODE varchar, -- 8302-2 | 29463-7 | 8867-4
  DESCRIPTION varchar, -- Body Height | Body Weight | Heart rate
  VALUE varchar, -- 1.0..180.0
  UNITS varchar, -- cm | kg | /min
  TYPE varchar -- = numeric
);
-- label none | first ID PATIENT ENCOUNTER DATE | sort -DATE | last TYPE | kinds CODE=text
create table immunizations ( -- 40 rows
  ID integer primary key,
  DATE datetime, -- rise
  PATIENT uuid references patients (Id),
  ENCOUNTER uuid references encounters (Id),
  CODE integer, -- 100..150
  DESCRIPTION varchar, -- Influenza, seasonal | Td (adult) | Hep B
  BASE_COST decimal(9,2) -- = 140.52
);
-- label none | first ID | sort -DATE | last BASE_COST | kinds CODE=key PATIENT=relation
create table allergies ( -- 30 rows
  ID integer primary key,
  START date, -- day
  STOP date, -- null
  PATIENT uuid references patients (Id),
  CODE integer, -- 100..9000
  SYSTEM varchar, -- = SNOMED-CT
  DESCRIPTION varchar, -- Allergy to nut | Latex allergy | Allergy to dairy product
  TYPE varchar, -- allergy | intolerance
  CATEGORY varchar -- food | medication | environment
);
-- label none | first ID PATIENT | last STOP SYSTEM | kinds CATEGORY=text CODE=key
