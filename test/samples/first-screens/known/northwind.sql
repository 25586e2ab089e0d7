-- Northwind (MIT, microsoft/sql-server-samples): a food trader
create table Categories ( -- 8 rows
  CategoryID integer primary key,
  CategoryName varchar(15) not null, -- in Beverages | Condiments | Confections | Dairy Products | Grains | Meat | Produce | Seafood
  Description text, -- sentence
  Picture blob -- null
);
-- label CategoryName | first CategoryName Description | sort -CategoryID | kinds Description=longtext
create table CustomerDemographics ( -- 6 rows
  CustomerTypeID varchar(10) primary key, -- in RETAIL | WHOLESALE | ONLINE | HORECA | EXPORT | STAFF
  CustomerDesc text -- sentence
);
-- label CustomerTypeID | first CustomerTypeID CustomerDesc | sort CustomerTypeID | kinds CustomerTypeID=key CustomerDesc=longtext
create table Customers (
  CustomerID char(5) primary key, -- code 5
  CompanyName varchar(40) not null, -- company
  ContactName varchar(30), -- full
  ContactTitle varchar(30), -- Owner | Sales Agent | Sales Manager | Accounting Manager | Marketing Assistant
  Address varchar(60), -- street
  City varchar(15), -- city
  Region varchar(15), -- null | null | null | OR | BC | SP
  PostalCode varchar(10), -- postal
  Country varchar(15), -- country
  Phone varchar(24), -- phone
  Fax varchar(24) -- phone ?40
);
-- label CompanyName | first CustomerID CompanyName ContactName | sort CustomerID | kinds Phone=text PostalCode=text
create table Employees ( -- 20 rows
  EmployeeID integer primary key,
  LastName varchar(20) not null, -- last
  FirstName varchar(10) not null, -- first
  Title varchar(30), -- Sales Representative | Sales Manager | Vice President, Sales | Inside Sales Coordinator
  TitleOfCourtesy varchar(25), -- Ms. | Mr. | Dr. | Mrs.
  BirthDate datetime, -- time
  HireDate datetime, -- time
  City varchar(15), -- city
  HomePhone varchar(24), -- phone
  Extension varchar(4), -- 1000..9999
  Notes text, -- text
  ReportsTo integer references Employees (EmployeeID),
  PhotoPath varchar(255) -- image
);
-- label FirstName LastName | first FirstName LastName ReportsTo Title | sort -EmployeeID | kinds Notes=longtext PhotoPath=image Extension=text
create table Shippers ( -- 6 rows
  ShipperID integer primary key,
  CompanyName varchar(40) not null, -- company
  Phone varchar(24) -- phone
);
-- label CompanyName | first CompanyName Phone | sort -ShipperID
create table Suppliers ( -- 29 rows
  SupplierID integer primary key,
  CompanyName varchar(40) not null, -- company
  ContactName varchar(30), -- full
  ContactTitle varchar(30), -- Owner | Sales Agent | Export Administrator | Marketing Manager
  City varchar(15), -- city
  Country varchar(15), -- country
  Phone varchar(24), -- phone
  Fax varchar(24), -- null
  HomePage text -- url ?70
);
-- label CompanyName | first CompanyName ContactName | sort -SupplierID | last Fax | kinds HomePage=link
create table Products ( -- 77 rows
  ProductID integer primary key,
  ProductName varchar(40) not null, -- words
  SupplierID integer references Suppliers (SupplierID),
  CategoryID integer references Categories (CategoryID),
  QuantityPerUnit varchar(20), -- 10 boxes x 20 bags | 24 - 12 oz bottles | 12 - 550 ml bottles | 36 boxes
  UnitPrice money, -- 2.50..263.50
  UnitsInStock smallint, -- 0..125
  UnitsOnOrder smallint, -- 0..100
  ReorderLevel smallint, -- 0..30
  Discontinued bit not null -- 0 | 0 | 0 | 1
);
-- label ProductName | first ProductName UnitPrice SupplierID CategoryID | sort -ProductID | kinds UnitPrice=money UnitsInStock=number Discontinued=boolean SupplierID=relation
create table Region ( -- 4 rows
  RegionID integer primary key,
  RegionDescription varchar(50) not null -- in Eastern | Western | Northern | Southern
);
-- label RegionDescription | first RegionDescription | sort -RegionID | kinds RegionDescription=text
create table Territories (
  TerritoryID varchar(20) primary key, -- like 01581
  TerritoryDescription varchar(50) not null, -- city
  RegionID integer not null references Region (RegionID)
);
-- label TerritoryDescription | first TerritoryID TerritoryDescription RegionID | sort TerritoryID | kinds TerritoryID=key TerritoryDescription=text
create table EmployeeTerritories (
  EmployeeID integer not null references Employees (EmployeeID),
  TerritoryID varchar(20) not null references Territories (TerritoryID), -- unique
  primary key (EmployeeID, TerritoryID)
);
-- label EmployeeID TerritoryID | first EmployeeID TerritoryID | kinds EmployeeID=relation TerritoryID=relation
create table Orders ( -- 83 rows
  OrderID integer primary key, -- seq 10248
  CustomerID char(5) references Customers (CustomerID),
  EmployeeID integer references Employees (EmployeeID),
  OrderDate datetime, -- rise
  RequiredDate datetime, -- time
  ShippedDate datetime, -- time ?10
  ShipVia integer references Shippers (ShipperID),
  Freight money, -- 0.12..810.05
  ShipName varchar(40), -- company
  ShipAddress varchar(60), -- street
  ShipCity varchar(15), -- city
  ShipCountry varchar(15) -- country
);
-- label none | first OrderID Freight CustomerID EmployeeID ShipVia OrderDate | sort -OrderDate | kinds Freight=money CustomerID=relation
create table OrderDetails ( -- 90 rows
  OrderID integer not null references Orders (OrderID), -- unique
  ProductID integer not null references Products (ProductID),
  UnitPrice money not null, -- 2.50..263.50
  Quantity smallint not null, -- 1..120
  Discount real not null, -- 0 | 0 | 0.05 | 0.1 | 0.25
  primary key (OrderID, ProductID)
);
-- label OrderID ProductID | first OrderID ProductID UnitPrice Quantity | kinds UnitPrice=money Quantity=number
