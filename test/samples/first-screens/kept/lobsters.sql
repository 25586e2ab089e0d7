-- Lobsters (BSD 3-Clause, lobsters/lobsters): stories and comments
create table users (
  id integer primary key,
  username varchar(50), -- user
  email varchar(100), -- email
  password_digest varchar(75), -- hex 60
  created_at datetime not null, -- rise
  is_admin tinyint(1) default 0 not null, -- 0 | 0 | 1
  about text, -- text ?40
  invited_by_user_id bigint references users (id),
  is_moderator tinyint(1) default 0 not null, -- 0 | 0 | 1
  karma integer default 0 not null, -- -5..900
  banned_at datetime, -- null
  deleted_at datetime, -- time ?90
  homepage varchar(255) -- url ?60
);
create unique index users_username on users (username);
-- label username | first username invited_by_user_id created_at email | sort -created_at | last banned_at | deleted deleted_at | kinds email=email karma=number is_admin=boolean about=longtext
create table categories ( -- 8 rows
  id integer primary key,
  category varchar(25), -- in compsci | culture | field | format | genre | hardware | language | practices
  created_at datetime, -- = 2020-08-01 10:00:00
  updated_at datetime -- = 2020-08-01 10:00:00
);
-- label category | first category | sort -id | last created_at updated_at
create table tags ( -- 20 rows
  id integer primary key,
  tag varchar(25) not null, -- in ai | api | apl | art | ask | assembly | audio | book | browsers | c | compilers | css | databases | debugging | design | devops | elixir | erlang | go | haskell
  description varchar(100), -- sentence
  privileged tinyint(1) default 0 not null, -- 0 | 1
  is_media tinyint(1) default 0 not null, -- 0 | 1
  active tinyint(1) default 1 not null, -- 1 | 0
  hotness_mod float default 0, -- 0 | 0 | 0.5 | -0.5
  category_id bigint not null references categories (id)
);
create unique index tags_tag on tags (tag);
-- label tag | first tag category_id | sort -id | kinds is_media=boolean hotness_mod=number active=boolean description=longtext
create table domains ( -- 30 rows
  id integer primary key,
  domain varchar(255), -- host
  is_tracker tinyint(1) default 0 not null, -- 0 | 1
  created_at datetime not null, -- rise
  updated_at datetime not null, -- rise
  banned_at datetime, -- time ?90
  banned_by_user_id integer, -- 1..40 ?90
  banned_reason varchar(200) -- sentence ?90
);
-- label domain | first domain | sort -created_at | kinds is_tracker=boolean banned_by_user_id=guess
create table stories ( -- 80 rows
  id integer primary key,
  created_at datetime, -- rise
  user_id bigint not null references users (id),
  url varchar(250), -- url ?20
  title varchar(150) not null, -- words
  description text, -- text ?60
  short_id varchar(6) not null, -- code 6
  is_deleted tinyint(1) default 0 not null, -- 0 | 0 | 0 | 1
  score integer default 1 not null, -- -3..90
  flags integer default 0 not null, -- 0..4
  hotness decimal(20,10) default 0, -- -19000.5000000000..-17000.1000000000
  comments_count integer default 0 not null, -- 0..80
  merged_story_id bigint references stories (id),
  domain_id bigint references domains (id)
);
create unique index stories_short_id on stories (short_id);
-- label title | first title user_id | sort -created_at | kinds url=link score=number is_deleted=boolean comments_count=number description=longtext
create table comments ( -- 100 rows
  id integer primary key,
  created_at datetime not null, -- rise
  updated_at datetime, -- rise
  short_id varchar(10) not null, -- code 6
  story_id bigint not null references stories (id),
  user_id bigint not null references users (id),
  parent_comment_id bigint references comments (id),
  comment mediumtext not null, -- text
  score integer default 1 not null, -- -3..40
  is_deleted tinyint(1) default 0, -- 0 | 0 | 1
  markeddown_comment mediumtext -- text
);
create unique index comments_short_id on comments (short_id);
-- label none | first short_id story_id user_id parent_comment_id created_at | sort -created_at | kinds comment=longtext score=number is_deleted=boolean
create table votes ( -- 90 rows
  id integer primary key,
  user_id bigint not null references users (id),
  story_id bigint not null references stories (id),
  comment_id bigint references comments (id),
  vote tinyint not null, -- -1 | 1
  reason varchar(1) -- null | null | O | S
);
-- label none | first id user_id story_id comment_id | sort -id | kinds vote=number
create table moderations ( -- 30 rows
  id integer primary key,
  created_at datetime not null, -- rise
  updated_at datetime not null, -- rise
  moderator_user_id bigint references users (id),
  story_id bigint references stories (id),
  comment_id bigint, -- null
  action mediumtext, -- sentence
  reason mediumtext, -- sentence
  is_from_suggestions tinyint(1) default 0 -- 0 | 1
);
-- label none | first id moderator_user_id story_id created_at | sort -created_at | last comment_id | kinds action=longtext is_from_suggestions=boolean
create table taggings (
  id integer primary key,
  story_id bigint not null references stories (id), -- unique
  tag_id bigint not null references tags (id)
);
create unique index taggings_story_tag on taggings (story_id, tag_id);
-- label story_id tag_id | first story_id tag_id | sort -id
