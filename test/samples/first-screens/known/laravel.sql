-- Laravel with Cashier and Telescope (MIT, laravel/framework and others): an application's own tables
create table users (
  id integer primary key,
  name varchar not null, -- full
  email varchar not null, -- email
  email_verified_at datetime, -- time ?30
  password varchar not null, -- hex 60
  remember_token varchar, -- hex 60 ?50
  stripe_id varchar, -- null
  pm_type varchar, -- null
  pm_last_four varchar(4), -- null
  trial_ends_at datetime, -- time ?90
  created_at datetime, -- rise
  updated_at datetime -- rise
);
create unique index users_email_unique on users (email);
-- label name | first name created_at email | sort -created_at | last stripe_id pm_type | kinds email=email email_verified_at=datetime
create table sessions ( -- 30 rows
  id varchar primary key, -- hex 40
  user_id integer, -- 1..40 ?30
  ip_address varchar(45), -- ip
  user_agent text, -- agent
  payload text not null, -- hex 120
  last_activity integer not null -- epoch
);
-- label none | first id user_id | kinds last_activity=datetime ip_address=text user_id=guess
create table jobs ( -- 20 rows
  id integer primary key,
  queue varchar not null, -- default | mail | exports
  payload text not null, -- json
  attempts integer not null, -- 0 | 0 | 1 | 2
  reserved_at integer, -- null
  available_at integer not null, -- epoch
  created_at integer not null -- epoch
);
-- label none | first id created_at queue | sort -created_at | last reserved_at | kinds created_at=datetime available_at=datetime attempts=number
create table failed_jobs ( -- 20 rows
  id integer primary key,
  uuid varchar not null, -- uuid
  connection text not null, -- redis | database
  queue text not null, -- default | mail
  payload text not null, -- json
  exception text not null, -- text
  failed_at datetime default CURRENT_TIMESTAMP not null -- rise
);
create unique index failed_jobs_uuid_unique on failed_jobs (uuid);
-- label none | first id failed_at | sort -failed_at | kinds uuid=key exception=longtext queue=text
create table personal_access_tokens ( -- 20 rows
  id integer primary key,
  tokenable_type varchar not null, -- = App\Models\User
  tokenable_id integer not null, -- 1..40
  name varchar not null, -- in cli | phone | ci | deploy | backup | laptop | tablet | zapier | reports | sync | import | export | metrics | billing | crm | staging | preview | lambda | cron | worker
  token varchar(64) not null, -- hex 64
  abilities text, -- in ["*"] | ["read"] | ["read","write"]
  last_used_at datetime, -- time ?40
  expires_at datetime, -- time ?70
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label name | first name tokenable_id created_at | sort -created_at | last tokenable_type | kinds tokenable_id=guess
create table subscriptions ( -- 30 rows
  id integer primary key,
  user_id integer not null, -- 1..40
  type varchar not null, -- default | swimming
  stripe_id varchar not null, -- hex 24
  stripe_status varchar not null, -- active | canceled | past_due | trialing
  stripe_price varchar, -- price_1N | price_2B | price_3C
  quantity integer, -- 1..5
  trial_ends_at datetime, -- time ?70
  ends_at datetime, -- time ?70
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label none | first id stripe_status user_id created_at | sort -created_at | kinds stripe_status=status quantity=number stripe_price=text
create table notifications ( -- 40 rows
  id uuid primary key, -- uuid
  type varchar not null, -- App\Notifications\InvoicePaid | App\Notifications\NewComment
  notifiable_type varchar not null, -- = App\Models\User
  notifiable_id integer not null, -- 1..40
  data text not null, -- json
  read_at datetime, -- time ?50
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label none | first id notifiable_id created_at | sort -created_at | last notifiable_type | kinds id=key notifiable_id=guess
create table job_batches ( -- 15 rows
  id varchar primary key, -- uuid
  name varchar not null, -- words
  total_jobs integer not null, -- 1..400
  pending_jobs integer not null, -- 0..20
  failed_jobs integer not null, -- 0..9
  failed_job_ids text not null, -- = []
  cancelled_at integer, -- null
  created_at integer not null, -- epoch
  finished_at integer -- epoch ?20
);
-- label name | first name created_at total_jobs | sort -created_at | last cancelled_at | kinds total_jobs=number created_at=datetime finished_at=datetime
create table telescope_entries ( -- 60 rows
  sequence integer primary key,
  uuid varchar(36) not null, -- uuid
  batch_id varchar(36) not null, -- uuid
  family_hash varchar, -- hex 32 ?80
  should_display_on_index bool default 1 not null, -- 1 | 0
  type varchar(20) not null, -- request | query | log | exception
  content text not null, -- json
  created_at datetime -- rise
);
-- label none | first sequence created_at | sort -created_at | kinds uuid=key type=text should_display_on_index=boolean
