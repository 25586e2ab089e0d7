-- Saleor (BSD 3-Clause, saleor/saleor): a shop
create table account_user (
  id integer primary key,
  is_superuser bool not null, -- 0 | 0 | 1
  email varchar(254) not null, -- email
  is_staff bool not null, -- 0 | 1
  is_active bool not null, -- 1 | 0
  password varchar(128) not null, -- hex 80
  date_joined datetime not null, -- rise
  last_login datetime, -- time ?30
  note text, -- null
  first_name varchar(256) not null, -- first
  last_name varchar(256) not null, -- last
  language_code varchar(35) not null -- en | de | fr
);
create unique index account_user_email on account_user (email);
-- label first_name last_name | first first_name last_name date_joined | sort -date_joined | last note | kinds email=email is_staff=boolean
create table product_category ( -- 12 rows
  id integer primary key,
  name varchar(250) not null, -- words
  slug varchar(255) not null, -- slug
  lft integer not null, -- 1..20
  rght integer not null, -- 2..40
  level integer not null, -- 0 | 1 | 2
  background_image varchar(100), -- image
  background_image_alt varchar(128) not null, -- ""
  parent_id integer references product_category (id)
);
-- label name | first name parent_id | sort -id | last background_image_alt | kinds background_image=image level=number
create table product_producttype ( -- 6 rows
  id integer primary key,
  name varchar(250) not null, -- in Book | Shirt | Mug | Poster | Voucher | Download
  has_variants bool not null, -- 1 | 0
  is_shipping_required bool not null, -- 1 | 0
  weight double not null, -- 0.0..9.0
  is_digital bool not null, -- 0 | 1
  slug varchar(255) not null -- in book | shirt | mug | poster | voucher | download
);
-- label name | first name | sort -id | kinds has_variants=boolean weight=number
create table product_product (
  id integer primary key,
  name varchar(250) not null, -- words
  description json, -- json
  updated_at datetime, -- rise
  product_type_id integer not null references product_producttype (id),
  category_id integer references product_category (id),
  seo_title varchar(70), -- null
  charge_taxes bool not null, -- 1 | 0
  slug varchar(255) not null, -- slug
  rating double, -- 1.0..5.0 ?30
  created_at datetime not null -- rise
);
create unique index product_slug on product_product (slug);
-- label name | first name product_type_id category_id created_at | sort -created_at | last seo_title | kinds charge_taxes=boolean rating=number description=json
create table product_productvariant ( -- 60 rows
  id integer primary key,
  sku varchar(255), -- like 21438542
  name varchar(255) not null, -- S | M | L | XL
  product_id integer not null references product_product (id),
  track_inventory bool not null, -- 1 | 0
  weight double, -- null
  sort_order integer, -- 0..3
  created_at datetime not null -- rise
);
create unique index variant_sku on product_productvariant (sku);
-- label sku | first sku product_id created_at name | sort -created_at | last weight | kinds track_inventory=boolean sku=text
create table order_order ( -- 60 rows
  id uuid primary key, -- uuid
  number integer not null, -- seq 1001
  created_at datetime not null, -- rise
  updated_at datetime not null, -- rise
  status varchar(32) not null, -- unfulfilled | fulfilled | canceled | draft
  user_id integer references account_user (id),
  user_email varchar(254) not null, -- email
  currency varchar(3) not null, -- USD | PLN
  total_net_amount decimal(20,3) not null, -- 10.000..900.000
  total_gross_amount decimal(20,3) not null, -- 12.000..999.000
  shipping_price_net_amount decimal(20,3) not null, -- 0.000..20.000
  shipping_method_name varchar(255), -- DHL | UPS | Pick up
  charge_status varchar(32) not null, -- none | partial | full
  customer_note text not null, -- ""
  language_code varchar(35) not null -- en | pl
);
create unique index order_number on order_order (number);
-- label number | first number status | sort -created_at | last customer_note | kinds total_net_amount=money total_gross_amount=money status=status user_email=email id=key number=key
create table order_orderline ( -- 90 rows
  id uuid primary key, -- uuid
  order_id uuid not null references order_order (id),
  product_name varchar(386) not null, -- words
  variant_name varchar(255) not null, -- S | M | L
  product_sku varchar(255), -- code 8
  quantity integer not null, -- 1..6
  currency varchar(3) not null, -- USD | PLN
  unit_price_net_amount decimal(20,3) not null, -- 3.000..150.000
  tax_rate decimal(5,4), -- 0.0000..0.2300
  is_shipping_required bool not null, -- 1 | 0
  created_at datetime not null -- rise
);
-- label product_name | first product_name unit_price_net_amount currency order_id created_at | sort -created_at | kinds unit_price_net_amount=money quantity=number tax_rate=number order_id=relation
create table warehouse_warehouse ( -- 6 rows
  id uuid primary key, -- uuid
  name varchar(250) not null, -- in Americas | Asia | Europe | Oceania | Africa | Returns
  slug varchar(255) not null, -- in americas | asia | europe | oceania | africa | returns
  email varchar(254) not null, -- ""
  is_private bool not null, -- 0 | 1
  created_at datetime not null -- rise
);
-- label name | first name created_at | sort -created_at | last email | kinds is_private=boolean
create table warehouse_stock ( -- 60 rows
  id integer primary key,
  product_variant_id integer not null references product_productvariant (id),
  warehouse_id uuid not null references warehouse_warehouse (id),
  quantity integer not null, -- 0..500
  quantity_allocated integer not null -- 0..50
);
-- label none | first id product_variant_id warehouse_id quantity | sort -id | kinds quantity=number warehouse_id=relation
create table payment_payment ( -- 50 rows
  id integer primary key,
  gateway varchar(255) not null, -- mirumee.payments.dummy | mirumee.payments.stripe
  is_active bool not null, -- 1 | 0
  created_at datetime not null, -- rise
  modified_at datetime not null, -- rise
  charge_status varchar(20) not null, -- not-charged | pending | fully-charged | refused
  billing_email varchar(254) not null, -- email
  total decimal(20,3) not null, -- 10.000..900.000
  captured_amount decimal(20,3) not null, -- 0.000..900.000
  currency varchar(3) not null, -- USD | PLN
  cc_last_digits varchar(4) not null, -- 1000..9999
  cc_exp_year integer, -- 2024..2030
  order_id uuid references order_order (id)
);
-- label none | first id charge_status total currency order_id created_at | sort -created_at | kinds total=money captured_amount=money cc_exp_year=key
create table discount_voucher ( -- 15 rows
  id integer primary key,
  name varchar(255), -- words
  type varchar(20) not null, -- shipping | entire_order | specific_product
  usage_limit integer, -- 1..500 ?50
  start_date datetime not null, -- time
  end_date datetime, -- null
  discount_value_type varchar(10) not null, -- fixed | percentage
  min_checkout_items_quantity integer, -- null
  countries varchar(749) not null -- ""
);
-- label name | first name type | sort -start_date | last end_date min_checkout_items_quantity countries | kinds type=text usage_limit=number
