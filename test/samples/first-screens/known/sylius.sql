-- Sylius (MIT, Sylius/Sylius): a shop, amounts in cents
create table sylius_customer_group ( -- 4 rows
  id integer primary key,
  code varchar(255) not null, -- in retail | wholesale | vip | staff
  name varchar(255) not null -- in Retail | Wholesale | VIP | Staff
);
create unique index uniq_group_code on sylius_customer_group (code);
-- label name | first code name | sort -id
create table sylius_customer (
  id integer primary key,
  customer_group_id integer references sylius_customer_group (id),
  email varchar(255) not null, -- email
  email_canonical varchar(255) not null, -- lower email
  first_name varchar(255), -- first
  last_name varchar(255), -- last
  birthday datetime, -- time ?40
  gender varchar(1) default 'u' not null, -- u | m | f
  created_at datetime not null, -- rise
  updated_at datetime, -- rise
  phone_number varchar(255), -- phone ?30
  subscribed_to_newsletter boolean not null -- 0 | 1
);
-- label first_name last_name | first first_name last_name customer_group_id created_at email | sort -created_at | kinds gender=text subscribed_to_newsletter=boolean email=email
create table sylius_currency ( -- 8 rows
  id integer primary key,
  code varchar(3) not null, -- in USD | EUR | GBP | PLN | CNY | NZD | AUD | MXN
  created_at datetime not null, -- = 2024-01-02 10:00:00
  updated_at datetime -- null
);
create unique index uniq_currency_code on sylius_currency (code);
-- label code | first code | sort -id | last created_at updated_at
create table sylius_channel ( -- 4 rows
  id integer primary key,
  default_locale_id integer not null, -- 1..3
  base_currency_id integer not null references sylius_currency (id),
  code varchar(255) not null, -- in WEB | B2B | OUTLET | MOBILE
  name varchar(255) not null, -- in Web store | Business | Outlet | Mobile app
  color varchar(255), -- colour
  description text, -- sentence ?50
  enabled boolean not null, -- 1 | 0
  hostname varchar(255), -- in www.example.com | b2b.example.com | outlet.example.com | m.example.com
  created_at datetime not null, -- rise
  updated_at datetime -- rise
);
create unique index uniq_channel_code on sylius_channel (code);
-- label name | first code name base_currency_id created_at | sort -created_at | kinds color=colour enabled=boolean base_currency_id=relation
create table sylius_order ( -- 60 rows
  id integer primary key,
  channel_id integer references sylius_channel (id),
  customer_id integer references sylius_customer (id),
  number varchar(255), -- like 000000101
  notes text, -- sentence ?80
  state varchar(255) not null, -- cart | new | fulfilled | cancelled
  checkout_completed_at datetime, -- time ?20
  items_total integer not null, -- 1000..90000
  adjustments_total integer not null, -- 0..2500
  total integer not null, -- 1000..92500
  created_at datetime not null, -- rise
  updated_at datetime, -- rise
  currency_code varchar(3) not null, -- USD | EUR
  locale_code varchar(255) not null, -- en_US | de_DE
  payment_state varchar(255) not null, -- paid | awaiting_payment | cancelled | refunded
  shipping_state varchar(255) not null, -- ready | shipped | cart
  customer_ip varchar(255) -- ip
);
create unique index uniq_order_number on sylius_order (number);
-- label number | first number state payment_state shipping_state total currency_code channel_id customer_id created_at | sort -created_at | kinds total=money state=status customer_ip=text
create table sylius_product (
  id integer primary key,
  code varchar(255) not null, -- slug
  created_at datetime not null, -- rise
  updated_at datetime, -- rise
  enabled boolean not null, -- 1 | 1 | 0
  variant_selection_method varchar(255) not null, -- choice | match
  average_rating double default 0 not null -- 0.0..5.0
);
create unique index uniq_product_code on sylius_product (code);
-- label code | first code created_at | sort -created_at | kinds enabled=boolean average_rating=number
create table sylius_product_translation ( -- 80 rows
  id integer primary key,
  translatable_id integer not null references sylius_product (id),
  name varchar(255) not null, -- words
  slug varchar(255) not null, -- slug
  description text, -- text
  meta_keywords varchar(255), -- null
  locale varchar(255) not null -- en_US | de_DE
);
-- label name | first name translatable_id | sort -id | last meta_keywords | kinds description=longtext
create table sylius_order_item ( -- 90 rows
  id integer primary key,
  order_id integer not null references sylius_order (id),
  product_name varchar(255), -- words
  quantity integer not null, -- 1..6
  unit_price integer not null, -- 500..20000
  units_total integer not null, -- 500..90000
  adjustments_total integer not null, -- 0..900
  total integer not null, -- 500..92000
  is_immutable boolean not null, -- 0 | 0 | 1
  version integer default 1 not null -- = 1
);
-- label product_name | first product_name total order_id | sort -id | last version | kinds total=money unit_price=money quantity=number is_immutable=boolean
create table sylius_payment ( -- 50 rows
  id integer primary key,
  order_id integer not null references sylius_order (id),
  currency_code varchar(3) not null, -- USD | EUR
  amount integer not null, -- 1000..92500
  state varchar(255) not null, -- cart | new | completed | failed | refunded
  details json not null, -- json
  created_at datetime not null, -- rise
  updated_at datetime -- rise
);
-- label none | first id state amount currency_code order_id created_at | sort -created_at | kinds amount=money state=status details=json
create table sylius_address ( -- 50 rows
  id integer primary key,
  customer_id integer references sylius_customer (id),
  first_name varchar(255) not null, -- first
  last_name varchar(255) not null, -- last
  phone_number varchar(255), -- phone
  street varchar(255) not null, -- street
  company varchar(255), -- company ?80
  city varchar(255) not null, -- city
  postcode varchar(255) not null, -- postal
  created_at datetime not null, -- rise
  updated_at datetime, -- rise
  country_code varchar(255) not null, -- countrycode
  province_code varchar(255) -- null
);
-- label first_name last_name | first first_name last_name customer_id created_at | sort -created_at | last province_code | kinds postcode=text phone_number=text
create table sylius_promotion_coupon ( -- 30 rows
  id integer primary key,
  promotion_id integer, -- 1..6
  code varchar(255) not null, -- code 10
  usage_limit integer, -- 1..50 ?50
  used integer not null, -- 0..30
  expires_at datetime, -- time ?30
  created_at datetime not null, -- rise
  updated_at datetime -- rise
);
create unique index uniq_coupon_code on sylius_promotion_coupon (code);
-- label code | first code created_at | sort -created_at | kinds used=number usage_limit=number
create table sylius_product_review ( -- 40 rows
  id integer primary key,
  product_id integer not null references sylius_product (id),
  author_id integer not null references sylius_customer (id),
  title varchar(255), -- words
  rating integer not null, -- 1..5
  comment text, -- text
  status varchar(255) not null, -- new | accepted | rejected
  created_at datetime not null, -- rise
  updated_at datetime -- rise
);
-- label title | first title status product_id author_id created_at rating | sort -created_at | kinds status=status comment=longtext rating=number
create table sylius_channel_countries ( -- 4 rows
  channel_id integer not null references sylius_channel (id), -- unique
  currency_id integer not null references sylius_currency (id),
  primary key (channel_id, currency_id)
);
-- label channel_id currency_id | first channel_id currency_id | kinds channel_id=relation currency_id=relation
