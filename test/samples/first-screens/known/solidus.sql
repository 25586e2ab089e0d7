-- Solidus (BSD 3-Clause, solidusio/solidus): a shop
create table spree_users (
  id integer primary key,
  email varchar, -- email
  encrypted_password varchar(128), -- hex 60
  sign_in_count integer default 0 not null, -- 0..90
  current_sign_in_at datetime, -- time
  current_sign_in_ip varchar, -- ip
  login varchar, -- null
  ship_address_id integer, -- 1..30 ?30
  bill_address_id integer, -- 1..30 ?30
  created_at datetime, -- rise
  updated_at datetime, -- rise
  deleted_at datetime -- time ?90
);
-- label email | first email ship_address_id bill_address_id created_at | sort -created_at | last login | deleted deleted_at | kinds email=email current_sign_in_at=datetime current_sign_in_ip=text
create table spree_countries ( -- 30 rows
  id integer primary key,
  iso_name varchar, -- upper name
  iso varchar, -- code 2
  iso3 varchar, -- code 3
  name varchar, -- in Austria | Belgium | Brazil | Canada | Chile | China | Croatia | Denmark | Egypt | Finland | France | Germany | Ghana | Greece | India | Italy | Japan | Kenya | Latvia | Malta | Mexico | Norway | Oman | Peru | Poland | Qatar | Spain | Sweden | Turkey | Yemen
  numcode integer, -- 100..890
  states_required boolean default 0, -- 0 | 1
  created_at datetime, -- = 2023-02-01 10:00:00
  updated_at datetime -- = 2023-02-01 10:00:00
);
-- label name | first name iso_name iso iso3 | sort -id | last created_at updated_at | kinds numcode=number states_required=boolean
create table spree_states ( -- 50 rows
  id integer primary key,
  name varchar, -- region
  abbr varchar, -- code 2
  country_id integer references spree_countries (id),
  created_at datetime, -- = 2023-02-01 10:00:00
  updated_at datetime -- = 2023-02-01 10:00:00
);
-- label name | first name country_id abbr | sort -id | kinds country_id=relation
create table spree_addresses ( -- 60 rows
  id integer primary key,
  name varchar, -- full
  address1 varchar, -- street
  address2 varchar, -- null | null | null | Apt. 4 | Floor 2
  city varchar, -- city
  zipcode varchar, -- postal
  phone varchar, -- phone
  state_name varchar, -- null
  alternative_phone varchar, -- null
  company varchar, -- company ?80
  state_id integer references spree_states (id),
  country_id integer not null references spree_countries (id),
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label name | first name state_id country_id created_at address1 | sort -created_at | last state_name alternative_phone | kinds zipcode=text phone=text
create table spree_orders ( -- 60 rows
  id integer primary key,
  number varchar(32), -- like R102938475
  item_total decimal(10,2) default 0, -- 10.00..900.00
  total decimal(10,2) default 0, -- 12.00..980.00
  state varchar, -- cart | address | delivery | payment | complete | complete | canceled
  adjustment_total decimal(10,2), -- 0.00..20.00
  user_id integer references spree_users (id),
  completed_at datetime, -- time ?30
  bill_address_id integer references spree_addresses (id),
  ship_address_id integer references spree_addresses (id),
  payment_state varchar, -- paid | balance_due | paid | failed
  email varchar, -- email
  special_instructions text, -- sentence ?90
  currency varchar, -- USD | EUR
  last_ip_address varchar, -- ip
  guest_token varchar, -- hex 22
  created_at datetime, -- rise
  updated_at datetime -- rise
);
create unique index spree_orders_number on spree_orders (number);
-- label number | first number state payment_state total currency user_id bill_address_id ship_address_id created_at | sort -created_at | kinds total=money item_total=money state=status payment_state=status email=email
create table spree_products (
  id integer primary key,
  name varchar default '' not null, -- words
  description text, -- text
  available_on datetime, -- time
  slug varchar, -- slug
  meta_title varchar, -- null
  meta_keywords varchar, -- null
  tax_category_id integer, -- 1..4
  promotionable boolean default 1, -- = 1
  deleted_at datetime, -- time ?80
  created_at datetime, -- rise
  updated_at datetime -- rise
);
create unique index spree_products_slug on spree_products (slug);
-- label name | first name created_at | sort -created_at | last meta_title meta_keywords | deleted deleted_at | kinds description=longtext promotionable=boolean
create table spree_variants ( -- 80 rows
  id integer primary key,
  sku varchar default '' not null, -- like SKU-10291
  weight decimal(8,2), -- 0.10..12.00
  height decimal(8,2), -- null
  is_master boolean default 0, -- 0 | 1
  product_id integer references spree_products (id),
  cost_price decimal(10,2), -- 3.00..80.00
  position integer, -- 1..4
  cost_currency varchar, -- = USD
  track_inventory boolean default 1, -- 1 | 1 | 0
  deleted_at datetime, -- time ?90
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label sku | first sku cost_price cost_currency product_id created_at | sort -created_at | last height | deleted deleted_at | kinds cost_price=money is_master=boolean position=number
create table spree_line_items ( -- 90 rows
  id integer primary key,
  variant_id integer references spree_variants (id),
  order_id integer references spree_orders (id),
  quantity integer not null, -- 1..5
  price decimal(10,2) not null, -- 5.00..250.00
  cost_price decimal(10,2), -- 3.00..80.00
  adjustment_total decimal(10,2), -- 0.00..9.00
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label none | first id price variant_id order_id created_at quantity | sort -created_at | kinds price=money adjustment_total=money quantity=number
create table spree_payment_methods ( -- 5 rows
  id integer primary key,
  type varchar, -- Spree::PaymentMethod::Check | Spree::PaymentMethod::CreditCard | Spree::PaymentMethod::StoreCredit
  name varchar, -- in Credit card | Check | Store credit | PayPal | Invoice
  description text, -- sentence ?60
  active boolean default 1, -- 1 | 1 | 0
  auto_capture boolean, -- 0 | 1
  position integer, -- seq
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label name | first name | sort position | kinds active=boolean description=longtext
create table spree_payments ( -- 50 rows
  id integer primary key,
  amount decimal(10,2) default 0, -- 12.00..980.00
  order_id integer references spree_orders (id),
  source_type varchar, -- Spree::CreditCard | Spree::StoreCredit
  source_id integer, -- 1..40
  payment_method_id integer references spree_payment_methods (id),
  state varchar, -- checkout | pending | completed | failed | void
  response_code varchar, -- hex 8 ?30
  avs_response varchar, -- null
  number varchar, -- code 8
  created_at datetime, -- rise
  updated_at datetime -- rise
);
create unique index spree_payments_number on spree_payments (number);
-- label number | first number state amount order_id | sort -created_at | last avs_response | kinds amount=money state=status order_id=relation source_id=guess
create table spree_stock_locations ( -- 6 rows
  id integer primary key,
  name varchar, -- in Main warehouse | North store | South store | Outlet | Returns | Supplier
  code varchar, -- null
  default_location boolean default 0, -- 0 | 1
  address1 varchar, -- street
  city varchar, -- city
  country_id integer references spree_countries (id),
  phone varchar, -- phone
  active boolean default 1, -- 1 | 0
  position integer, -- seq
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label name | first name country_id | sort position | last code | kinds active=boolean phone=text
create table spree_shipments ( -- 45 rows
  id integer primary key,
  tracking varchar, -- code 10 ?60
  number varchar, -- like H73629102
  cost decimal(10,2) default 0, -- 5.00..25.00
  shipped_at datetime, -- time ?50
  order_id integer references spree_orders (id),
  state varchar, -- pending | ready | shipped | shipped | canceled
  stock_location_id integer references spree_stock_locations (id),
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label number | first number state cost order_id stock_location_id created_at | sort -created_at | kinds cost=money state=status
create table spree_promotions ( -- 20 rows
  id integer primary key,
  description varchar, -- sentence ?40
  expires_at datetime, -- time ?40
  starts_at datetime, -- time
  name varchar, -- words
  type varchar, -- null
  usage_limit integer, -- 1..500 ?50
  advertise boolean default 0, -- 0 | 1
  path varchar, -- path ?80
  per_code_usage_limit integer, -- null
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label name | first name created_at | sort -created_at | last type per_code_usage_limit | kinds advertise=boolean usage_limit=number
create table spree_adjustments ( -- 60 rows
  id integer primary key,
  source_type varchar, -- Spree::TaxRate | Spree::PromotionAction
  source_id integer, -- 1..20
  adjustable_type varchar, -- Spree::Order | Spree::LineItem | Spree::Shipment
  adjustable_id integer not null, -- 1..60
  amount decimal(10,2), -- -20.00..30.00
  label varchar, -- Sales Tax 5.000% | VAT 20% | Promotion (Summer sale)
  eligible boolean default 1, -- 1 | 0
  order_id integer not null references spree_orders (id),
  finalized boolean default 0, -- 0 | 1
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label none | first id amount | sort -created_at | kinds amount=money adjustable_id=guess eligible=boolean
create table spree_prices ( -- 80 rows
  id integer primary key,
  variant_id integer not null references spree_variants (id),
  amount decimal(10,2), -- 5.00..250.00
  currency varchar, -- USD | EUR | GBP
  country_iso varchar(2), -- null
  deleted_at datetime, -- null
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label none | first id amount currency variant_id created_at | sort -created_at | last country_iso | deleted deleted_at | kinds amount=money
create table spree_roles_users ( -- 30 rows
  id integer primary key,
  role_id integer, -- 1..3
  user_id integer references spree_users (id), -- unique
  created_at datetime, -- rise
  updated_at datetime -- rise
);
-- label none | first id user_id | sort -created_at
