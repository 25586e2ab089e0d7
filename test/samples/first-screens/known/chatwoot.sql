-- Chatwoot (MIT, chatwoot/chatwoot): conversations with customers
create table accounts ( -- 12 rows
  id integer primary key,
  name varchar not null, -- company
  locale integer default 0, -- 0 | 1 | 6
  domain varchar, -- null
  support_email varchar, -- email
  feature_flags bigint default 0 not null, -- 1..900000
  status integer default 0, -- 0 | 0 | 1
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label name | first name status created_at | sort -created_at | last domain | kinds support_email=email feature_flags=number
create table users ( -- 25 rows
  id integer primary key,
  provider varchar default 'email' not null, -- = email
  uid varchar default '' not null, -- email
  encrypted_password varchar not null, -- hex 60
  sign_in_count integer default 0 not null, -- 0..400
  current_sign_in_at datetime, -- time
  name varchar not null, -- full
  display_name varchar, -- first ?60
  email varchar, -- email
  availability integer default 0, -- 0 | 1 | 2
  type varchar, -- null
  message_signature text, -- null
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label name | first name created_at | sort -created_at | last provider type message_signature | kinds email=email sign_in_count=number
create table account_users (
  id integer primary key,
  account_id bigint, -- 1..12
  user_id bigint, -- in-range 25
  role integer default 0, -- 0 | 1
  inviter_id bigint, -- 1..25 ?70
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
create unique index uniq_user_id_per_account_id on account_users (account_id, user_id);
-- label none | first id account_id user_id | sort -created_at | kinds account_id=guess user_id=guess
create table contacts ( -- 70 rows
  id integer primary key,
  name varchar default '', -- full
  email varchar, -- email ?30
  phone_number varchar, -- phone ?40
  account_id integer not null references accounts (id),
  additional_attributes json, -- json
  identifier varchar, -- null
  last_activity_at datetime, -- time
  contact_type integer default 0, -- 0 | 1 | 2
  middle_name varchar default '', -- ""
  last_name varchar default '', -- ""
  country_code varchar default '', -- ""
  blocked boolean default 0 not null, -- 0 | 0 | 1
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label name | first name account_id created_at email phone_number | sort -created_at | last identifier middle_name last_name country_code | kinds phone_number=text blocked=boolean additional_attributes=json account_id=relation
create table inboxes ( -- 14 rows
  id integer primary key,
  channel_id integer not null, -- 1..9
  account_id integer not null references accounts (id),
  name varchar not null, -- words
  channel_type varchar, -- Channel::WebWidget | Channel::Email | Channel::Api
  enable_auto_assignment boolean default 1, -- 1 | 0
  greeting_message varchar, -- sentence ?60
  timezone varchar default 'UTC', -- UTC | Europe/Berlin | Asia/Tokyo
  business_name varchar, -- null
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label name | first name | sort -created_at | last business_name | kinds channel_id=guess account_id=relation enable_auto_assignment=boolean
create table conversations ( -- 80 rows
  id integer primary key,
  account_id integer not null references accounts (id),
  inbox_id integer not null references inboxes (id),
  status varchar default 'open' not null, -- open | resolved | pending | snoozed
  assignee_id integer, -- 1..25
  contact_id bigint references contacts (id),
  display_id integer not null, -- seq
  contact_last_seen_at datetime, -- time ?40
  agent_last_seen_at datetime, -- time ?20
  additional_attributes json, -- = {}
  uuid uuid not null, -- uuid
  identifier varchar, -- null
  last_activity_at datetime not null, -- time
  priority integer, -- 0 | 1 | 2 | 3 | null
  snoozed_until datetime, -- time ?90
  waiting_since datetime, -- time ?30
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label none | first id status account_id inbox_id contact_id created_at | sort -created_at | last identifier additional_attributes | kinds status=status uuid=key display_id=key
create table messages ( -- 120 rows
  id integer primary key,
  content text, -- sentence
  account_id integer not null references accounts (id),
  inbox_id integer not null references inboxes (id),
  conversation_id integer not null references conversations (id),
  message_type integer not null, -- 0 | 1 | 2
  private boolean default 0 not null, -- 0 | 0 | 1
  status integer default 0, -- 0 | 1 | 2 | 3
  source_id varchar, -- null
  content_type varchar default 'text' not null, -- = text
  content_attributes json, -- = {}
  sender_type varchar, -- Contact | User
  sender_id bigint, -- 1..25
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label none | first id status account_id inbox_id conversation_id | sort -created_at | last source_id content_type | kinds content=longtext sender_id=guess private=boolean
create table attachments (
  id integer primary key,
  file_type integer default 0, -- 0 | 1 | 3
  external_url varchar, -- url ?80
  coordinates_lat float, -- null
  coordinates_long float, -- null
  message_id integer not null references messages (id),
  account_id integer not null references accounts (id),
  fallback_title varchar, -- file
  extension varchar, -- null
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label fallback_title | first fallback_title message_id account_id created_at | sort -created_at | last coordinates_lat coordinates_long extension | kinds external_url=link
create table labels ( -- 16 rows
  id integer primary key,
  title varchar, -- in billing | bug | delivery | feedback | lead | onboarding | payment | refund | sales | spam | training | urgent | vip | warranty | web | wholesale
  description text, -- sentence ?30
  color varchar default '#1f93ff' not null, -- colour
  show_on_sidebar boolean, -- 0 | 1
  account_id bigint references accounts (id),
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label title | first title account_id created_at | sort -created_at | kinds color=colour show_on_sidebar=boolean description=longtext
create table teams ( -- 10 rows
  id integer primary key,
  name varchar not null, -- in Sales | Support | Billing | Onboarding | Warranty | Night shift | Field | Enterprise | Partners | Success
  description text, -- sentence
  allow_auto_assign boolean default 1, -- 1 | 0
  account_id bigint not null references accounts (id),
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label name | first name account_id created_at | sort -created_at | kinds allow_auto_assign=boolean description=longtext
create table team_members ( -- 25 rows
  id integer primary key,
  team_id bigint not null references teams (id),
  user_id bigint not null references users (id), -- unique
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
create unique index index_team_members_on_team_id_and_user_id on team_members (team_id, user_id);
-- label team_id user_id | first team_id user_id created_at | sort -created_at | kinds team_id=relation user_id=relation
create table canned_responses ( -- 30 rows
  id integer primary key,
  account_id integer not null references accounts (id),
  short_code varchar, -- code 4
  content text, -- text
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label short_code | first short_code account_id created_at | sort -created_at | kinds content=longtext
create table csat_survey_responses ( -- 30 rows
  id integer primary key,
  account_id bigint not null references accounts (id),
  conversation_id bigint not null references conversations (id),
  message_id bigint not null references messages (id),
  rating integer not null, -- 1..5
  feedback_message text, -- sentence ?40
  contact_id bigint not null references contacts (id),
  assigned_agent_id bigint, -- 1..25
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label none | first id account_id conversation_id message_id contact_id | sort -created_at | kinds rating=number feedback_message=longtext
create table notes ( -- 30 rows
  id integer primary key,
  content text not null, -- text
  account_id bigint not null references accounts (id),
  contact_id bigint not null references contacts (id),
  user_id bigint references users (id),
  created_at datetime not null, -- rise
  updated_at datetime not null -- rise
);
-- label none | first id account_id contact_id user_id created_at content | sort -created_at | kinds content=longtext
