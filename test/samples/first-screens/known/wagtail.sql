-- Django, django-oscar and Wagtail (BSD 3-Clause): pages, pictures, accounts and baskets
create table auth_group ( -- 5 rows
  id integer primary key,
  name varchar(150) not null -- in Editors | Moderators | Shop staff | Dashboard | Translators
);
-- label name | first name | sort -id
create table auth_user (
  id integer primary key,
  password varchar(128) not null, -- hex 80
  last_login datetime, -- time ?20
  is_superuser bool not null, -- 0 | 0 | 0 | 1
  username varchar(150) not null, -- user
  first_name varchar(150) not null, -- ""
  last_name varchar(150) not null, -- ""
  email varchar(254) not null, -- email
  is_staff bool not null, -- 0 | 1
  is_active bool not null, -- 1 | 1 | 0
  date_joined datetime not null -- rise
);
create unique index auth_user_username on auth_user (username);
-- label username | first username date_joined | sort -date_joined | last first_name last_name | kinds email=email is_staff=boolean
create table auth_user_groups ( -- 30 rows
  id integer primary key,
  user_id integer not null references auth_user (id), -- unique
  group_id integer not null references auth_group (id)
);
-- label user_id group_id | first user_id group_id | sort -id
create table django_content_type ( -- 12 rows
  id integer primary key,
  app_label varchar(100) not null, -- auth | basket | catalogue | wagtailcore
  model varchar(100) not null -- in user | group | permission | page | site | image | document | basket | line | product | order | voucher
);
-- label model | first model app_label | sort -id
create table django_admin_log ( -- 60 rows
  id integer primary key,
  action_time datetime not null, -- rise
  object_id text, -- 1..90
  object_repr varchar(200) not null, -- words
  action_flag smallint not null, -- 1 | 2 | 3
  change_message text not null, -- json
  content_type_id integer references django_content_type (id),
  user_id integer not null references auth_user (id)
);
-- label object_repr | first object_repr content_type_id user_id action_time | sort -action_time | kinds content_type_id=relation
create table wagtailcore_page ( -- 60 rows
  id integer primary key,
  path varchar(255) not null, -- like 00010001
  depth integer not null, -- 2 | 3 | 4
  numchild integer not null, -- 0..9
  title varchar(255) not null, -- words
  slug varchar(255) not null, -- slug
  live bool not null, -- 1 | 1 | 0
  has_unpublished_changes bool not null, -- 0 | 1
  url_path text not null, -- path
  seo_title varchar(255) not null, -- ""
  show_in_menus bool not null, -- 0 | 1
  search_description text not null, -- ""
  go_live_at datetime, -- null
  expire_at datetime, -- time ?90
  first_published_at datetime, -- rise
  content_type_id integer not null references django_content_type (id),
  owner_id integer references auth_user (id),
  latest_revision_created_at datetime -- time
);
-- label title | first title content_type_id owner_id first_published_at | sort -first_published_at | last seo_title search_description go_live_at | kinds live=boolean show_in_menus=boolean numchild=number
create table wagtailimages_image ( -- 30 rows
  id integer primary key,
  title varchar(255) not null, -- words
  file varchar(100) not null, -- file
  width integer not null, -- 300..4000
  height integer not null, -- 300..3000
  created_at datetime not null, -- rise
  focal_point_x integer, -- null
  focal_point_y integer, -- null
  uploaded_by_user_id integer references auth_user (id),
  file_size integer, -- 10000..900000
  file_hash varchar(40) not null -- hex 40
);
-- label title | first title uploaded_by_user_id created_at file | sort -created_at | last focal_point_x focal_point_y | kinds width=number file_size=number
create table catalogue_category ( -- 20 rows
  id integer primary key,
  path varchar(255) not null, -- like 0001
  depth integer not null, -- 1 | 2 | 3
  name varchar(255) not null, -- words
  description text not null, -- text
  image varchar(255), -- null
  slug varchar(255) not null, -- slug
  is_public bool not null -- 1 | 1 | 0
);
-- label name | first name | sort -id | last image | kinds description=longtext is_public=boolean
create table catalogue_product (
  id integer primary key,
  structure varchar(10) not null, -- standalone | parent | child
  upc varchar(64), -- 4006381330000..4006381999999 ?20
  title varchar(255) not null, -- words
  slug varchar(255) not null, -- slug
  description text not null, -- text
  rating real, -- 1.0..5.0 ?40
  date_created datetime not null, -- rise
  date_updated datetime not null, -- rise
  is_discountable bool not null, -- 1 | 0
  parent_id integer references catalogue_product (id)
);
-- label title | first title parent_id date_created | sort -date_created | kinds upc=text rating=number structure=text description=longtext
create table order_order ( -- 50 rows
  id integer primary key,
  number varchar(128) not null, -- like 100101
  currency varchar(12) not null, -- GBP | EUR
  total_incl_tax decimal(12,2) not null, -- 10.00..900.00
  total_excl_tax decimal(12,2) not null, -- 8.00..800.00
  shipping_incl_tax decimal(12,2) not null, -- 0.00..20.00
  shipping_method varchar(128) not null, -- Express | Standard | Pick up
  status varchar(100) not null, -- Pending | Being processed | Complete | Cancelled
  guest_email varchar(254) not null, -- ""
  date_placed datetime not null, -- rise
  user_id integer references auth_user (id)
);
create unique index order_order_number on order_order (number);
-- label number | first number status total_incl_tax currency user_id date_placed | sort -date_placed | last guest_email | kinds total_incl_tax=money total_excl_tax=money status=status
create table basket_basket ( -- 40 rows
  id integer primary key,
  status varchar(128) not null, -- Open | Merged | Saved | Frozen | Submitted
  date_created datetime not null, -- rise
  date_merged datetime, -- time ?90
  date_submitted datetime, -- time ?60
  owner_id integer references auth_user (id)
);
-- label none | first id status owner_id date_created | sort -date_created | kinds status=status
