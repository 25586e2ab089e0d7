-- Gitea (MIT, go-gitea/gitea): code, issues and releases
create table user ( -- 50 rows
  id integer primary key,
  lower_name varchar(255) not null, -- lower name
  name varchar(255) not null, -- user
  full_name varchar(255), -- full ?50
  email varchar(255) not null, -- email
  passwd varchar(255) not null, -- hex 60
  login_type integer, -- 0 | 1 | 6
  type integer, -- 0 | 1
  language varchar(5), -- en-US | de-DE | fr-FR
  description varchar(255), -- ""
  created_unix bigint, -- epoch
  updated_unix bigint, -- epoch
  last_login_unix bigint, -- epoch
  is_active boolean, -- 1 | 1 | 0
  num_followers integer, -- 0..80
  num_repos integer default 0 not null -- 0..40
);
create unique index uqe_user_name on user (name);
-- label name | first name created_unix lower_name full_name email | sort -created_unix | last description | kinds created_unix=datetime last_login_unix=datetime is_active=boolean num_followers=number email=email
create table repository ( -- 60 rows
  id integer primary key,
  owner_id bigint, -- 1..50
  owner_name varchar(255), -- user
  lower_name varchar(255) not null, -- lower name
  name varchar(255) not null, -- slug
  description text, -- sentence
  website varchar(2048), -- url ?80
  default_branch varchar(255), -- main | main | master
  num_watches integer, -- 0..90
  num_stars integer, -- 0..900
  is_private boolean, -- 0 | 1
  is_archived boolean, -- 0 | 0 | 1
  size bigint default 0 not null, -- 1000..90000000
  created_unix bigint, -- epoch
  updated_unix bigint -- epoch
);
-- label name | first name | sort -created_unix | kinds created_unix=datetime is_private=boolean size=number website=link description=longtext
create table milestone ( -- 20 rows
  id integer primary key,
  repo_id bigint references repository (id),
  name varchar(255), -- like v1.10
  content text, -- sentence
  is_closed boolean, -- 0 | 1
  num_issues integer, -- 0..60
  completeness integer, -- 0..100
  created_unix bigint, -- epoch
  deadline_unix bigint, -- epoch
  closed_date_unix bigint -- epoch ?50
);
-- label name | first name repo_id created_unix | sort -created_unix | kinds deadline_unix=datetime content=longtext is_closed=boolean
create table issue ( -- 90 rows
  id integer primary key,
  repo_id bigint references repository (id),
  "index" bigint, -- seq
  poster_id bigint, -- 1..50
  original_author varchar(255), -- null
  name varchar(255), -- words
  content text, -- text
  milestone_id bigint references milestone (id),
  priority integer, -- = 0
  is_closed boolean, -- 0 | 1
  is_pull boolean, -- 0 | 1
  num_comments integer, -- 0..40
  deadline_unix bigint, -- = 0
  created_unix bigint, -- epoch
  updated_unix bigint, -- epoch
  is_locked boolean default 0 not null -- 0 | 0 | 1
);
create unique index uqe_issue_repo_index on issue (repo_id, "index");
-- label name | first name repo_id milestone_id created_unix | sort -created_unix | last original_author priority deadline_unix | kinds content=longtext is_pull=boolean num_comments=number
create table comment ( -- 120 rows
  id integer primary key,
  type integer, -- 0 | 0 | 1 | 7 | 21
  poster_id bigint, -- 1..50
  issue_id bigint references issue (id),
  label_id bigint, -- 1..20 ?70
  milestone_id bigint, -- 1..20 ?90
  commit_id bigint, -- null
  line bigint, -- null
  tree_path varchar(4000), -- null
  content text, -- sentence
  created_unix bigint, -- epoch
  updated_unix bigint -- epoch
);
-- label none | first id | sort -created_unix | last line tree_path | kinds content=longtext issue_id=relation milestone_id=guess created_unix=datetime
create table label ( -- 24 rows
  id integer primary key,
  repo_id bigint references repository (id),
  name varchar(255), -- in bug | duplicate | enhancement | help wanted | invalid | question | wontfix | docs | security | ui | api | breaking | good first issue | performance | refactor | regression | tests | translation | upstream | dependencies | discussion | stale | needs review | blocked
  exclusive boolean, -- 0 | 1
  description varchar(255), -- sentence ?50
  color varchar(7), -- colour
  num_issues integer, -- 0..50
  num_closed_issues integer, -- 0..50
  created_unix bigint, -- epoch
  updated_unix bigint -- epoch
);
-- label name | first name repo_id created_unix | sort -created_unix | kinds color=colour num_issues=number exclusive=boolean
create table issue_label (
  id integer primary key,
  issue_id bigint not null references issue (id), -- unique
  label_id bigint not null references label (id)
);
create unique index uqe_issue_label_s on issue_label (issue_id, label_id);
-- label issue_id label_id | first issue_id label_id | sort -id | kinds issue_id=relation
create table release ( -- 30 rows
  id integer primary key,
  repo_id bigint references repository (id),
  publisher_id bigint, -- 1..50
  tag_name varchar(255), -- like v0.9.10
  target varchar(255), -- main | master
  title varchar(255), -- words
  sha1 varchar(64), -- hex 40
  num_commits bigint, -- 1..4000
  note text, -- text
  is_draft boolean default 0 not null, -- 0 | 1
  is_prerelease boolean default 0 not null, -- 0 | 1
  created_unix bigint -- epoch
);
-- label title | first title repo_id created_unix tag_name | sort -created_unix | kinds note=longtext num_commits=number
create table attachment ( -- 30 rows
  id integer primary key,
  uuid varchar(40), -- uuid
  repo_id bigint, -- 1..60
  issue_id bigint references issue (id),
  uploader_id bigint default 0, -- 1..50
  name varchar(255), -- file
  download_count bigint default 0, -- 0..90
  size bigint default 0, -- 1000..9000000
  created_unix bigint -- epoch
);
create unique index uqe_attachment_uuid on attachment (uuid);
-- label name | first name | sort -created_unix | kinds uuid=key size=number issue_id=relation
create table star (
  id integer primary key,
  uid bigint, -- in-range 50
  repo_id bigint, -- 1..60
  created_unix bigint -- epoch
);
-- label none | first id | sort -created_unix | kinds created_unix=datetime
create table public_key ( -- 20 rows
  id integer primary key,
  owner_id bigint not null, -- 1..50
  name varchar(255) not null, -- words
  fingerprint varchar(255) not null, -- hex 43
  content text not null, -- hex 180
  mode integer default 2 not null, -- = 2
  type integer default 1 not null, -- = 1
  verified boolean default 0 not null, -- 0 | 1
  created_unix bigint -- epoch
);
-- label name | first name | sort -created_unix | last mode type | kinds verified=boolean
create table team ( -- 12 rows
  id integer primary key,
  org_id bigint, -- 1..50
  lower_name varchar(255), -- lower name
  name varchar(255), -- in Owners | Core | Docs | Release | Security | Infra | Design | Mobile | Web | Data | Support | Bots
  description varchar(255), -- sentence ?40
  authorize integer, -- 1 | 2 | 3 | 4
  num_repos integer, -- 0..30
  includes_all_repositories boolean default 0 not null -- 0 | 1
);
-- label name | first name lower_name | sort -id | kinds num_repos=number includes_all_repositories=boolean
create table access_token ( -- 20 rows
  id integer primary key,
  uid bigint, -- 1..50
  name varchar(255), -- words
  token_hash varchar(255), -- hex 64
  token_salt varchar(255), -- hex 10
  token_last_eight varchar(255), -- hex 8
  scope varchar(255), -- all | read:repository | write:issue
  created_unix bigint, -- epoch
  updated_unix bigint -- epoch
);
-- label name | first name | sort -created_unix | kinds created_unix=datetime
