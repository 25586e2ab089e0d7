-- AdventureWorks (MIT, microsoft/sql-server-samples): a maker of bicycles
create table Department ( -- 12 rows
  DepartmentID integer primary key,
  Name varchar(50) not null, -- in Engineering | Tool Design | Sales | Marketing | Purchasing | Research | Production | Quality | Finance | Information Services | Document Control | Executive
  GroupName varchar(50) not null, -- Research and Development | Sales and Marketing | Manufacturing | Executive
  ModifiedDate datetime not null -- = 2008-04-30 00:00:00
);
-- label Name | first Name GroupName | sort -DepartmentID | last ModifiedDate
create table Person ( -- 60 rows
  BusinessEntityID integer primary key,
  PersonType char(2) not null, -- EM | SC | IN | VC
  NameStyle bit not null, -- 0
  Title varchar(8), -- null | null | Mr. | Ms.
  FirstName varchar(50) not null, -- first
  MiddleName varchar(50), -- null | null | A | J | M
  LastName varchar(50) not null, -- last
  Suffix varchar(10), -- null
  EmailPromotion int not null, -- 0 | 1 | 2
  rowguid uniqueidentifier not null, -- uuid
  ModifiedDate datetime not null -- time
);
-- label FirstName LastName | first FirstName LastName PersonType | sort -BusinessEntityID | last NameStyle Suffix | kinds rowguid=key PersonType=text
create table Employee ( -- 40 rows
  BusinessEntityID integer primary key references Person (BusinessEntityID), -- seq
  NationalIDNumber varchar(15) not null, -- 10000000..99999999
  LoginID varchar(256) not null, -- user
  JobTitle varchar(50) not null, -- Design Engineer | Tool Designer | Buyer | Production Technician
  BirthDate date not null, -- day
  MaritalStatus char(1) not null, -- S | M
  Gender char(1) not null, -- M | F
  HireDate date not null, -- day
  SalariedFlag bit not null, -- 0 | 1
  VacationHours smallint not null, -- 0..99
  SickLeaveHours smallint not null, -- 20..80
  CurrentFlag bit not null, -- 1
  ModifiedDate datetime not null -- = 2014-06-30 00:00:00
);
-- label BusinessEntityID | first BusinessEntityID | sort -BusinessEntityID | last CurrentFlag ModifiedDate | kinds SalariedFlag=boolean VacationHours=number NationalIDNumber=text BusinessEntityID=relation
create table ProductCategory ( -- 4 rows
  ProductCategoryID integer primary key,
  Name varchar(50) not null, -- in Bikes | Components | Clothing | Accessories
  rowguid uniqueidentifier not null, -- uuid
  ModifiedDate datetime not null -- = 2008-04-30 00:00:00
);
-- label Name | first Name | sort -ProductCategoryID | last ModifiedDate | kinds rowguid=key
create table Product ( -- 60 rows
  ProductID integer primary key,
  Name varchar(50) not null, -- words
  ProductNumber varchar(25) not null, -- like AR-5381
  MakeFlag bit not null, -- 0 | 1
  Color varchar(15), -- Black | Silver | Red | null
  SafetyStockLevel smallint not null, -- 4..1000
  ReorderPoint smallint not null, -- 3..750
  StandardCost money not null, -- 0.86..2171.29
  ListPrice money not null, -- 0.00..3578.27
  Size varchar(5), -- M | L | 44 | 48 | null
  Weight decimal(8,2), -- 2.12..1050.00 ?40
  DaysToManufacture int not null, -- 0 | 1 | 2 | 4
  ProductSubcategoryID int, -- 1..37
  SellStartDate datetime not null, -- time
  SellEndDate datetime, -- time ?70
  DiscontinuedDate datetime, -- null
  ModifiedDate datetime not null -- = 2014-02-08 10:01:36
);
create unique index AK_Product_ProductNumber on Product (ProductNumber);
-- label Name | first ProductNumber Name ListPrice | sort -ProductID | last DiscontinuedDate ModifiedDate | kinds StandardCost=money ListPrice=money MakeFlag=boolean DaysToManufacture=number Color=text
create table Customer (
  CustomerID integer primary key,
  PersonID int references Person (BusinessEntityID),
  StoreID int, -- 1..40 ?60
  TerritoryID int, -- 1..10
  AccountNumber varchar(10) not null, -- like AW00000101
  rowguid uniqueidentifier not null, -- uuid
  ModifiedDate datetime not null -- = 2014-09-12 11:15:07
);
create unique index AK_Customer_AccountNumber on Customer (AccountNumber);
-- label AccountNumber | first AccountNumber PersonID | sort -CustomerID | last ModifiedDate | kinds rowguid=key PersonID=relation
create table SalesOrderHeader ( -- 70 rows
  SalesOrderID integer primary key, -- seq 43659
  RevisionNumber tinyint not null, -- 8 | 9
  OrderDate datetime not null, -- rise
  DueDate datetime not null, -- time
  ShipDate datetime, -- time ?10
  Status tinyint not null, -- 1 | 4 | 5 | 5
  OnlineOrderFlag bit not null, -- 0 | 1
  SalesOrderNumber varchar(25) not null, -- like SO43659
  PurchaseOrderNumber varchar(25), -- like PO52202 ?60
  CustomerID int not null references Customer (CustomerID),
  CreditCardApprovalCode varchar(15), -- code 12 ?40
  SubTotal money not null, -- 20.00..30000.00
  TaxAmt money not null, -- 1.00..2400.00
  Freight money not null, -- 1.00..800.00
  TotalDue money not null, -- 24.00..33000.00
  Comment varchar(128), -- null
  ModifiedDate datetime not null -- time
);
create unique index AK_SalesOrderHeader_SalesOrderNumber on SalesOrderHeader (SalesOrderNumber);
-- label SalesOrderNumber | first SalesOrderNumber Status TotalDue CustomerID OrderDate | sort -OrderDate | last Comment | kinds TotalDue=money SubTotal=money TaxAmt=money RevisionNumber=number OnlineOrderFlag=boolean
create table SalesOrderDetail ( -- 90 rows
  SalesOrderID int not null references SalesOrderHeader (SalesOrderID), -- unique
  SalesOrderDetailID int not null, -- seq
  CarrierTrackingNumber varchar(25), -- code 12 ?40
  OrderQty smallint not null, -- 1..20
  ProductID int not null references Product (ProductID),
  UnitPrice money not null, -- 2.00..3500.00
  UnitPriceDiscount money not null, -- 0.00 | 0.00 | 0.02
  LineTotal decimal(38,6) not null, -- 2.00..30000.00
  ModifiedDate datetime not null, -- rise
  primary key (SalesOrderID, SalesOrderDetailID)
);
-- label none | first SalesOrderID SalesOrderDetailID LineTotal ProductID | kinds OrderQty=number UnitPrice=money LineTotal=money
create table Vendor ( -- 30 rows
  BusinessEntityID integer primary key,
  AccountNumber varchar(15) not null, -- like AUSTRALI0001
  Name varchar(50) not null, -- company
  CreditRating tinyint not null, -- 1 | 2 | 3
  PreferredVendorStatus bit not null, -- 0 | 1
  ActiveFlag bit not null, -- 1 | 1 | 0
  PurchasingWebServiceURL varchar(1024), -- null
  ModifiedDate datetime not null -- = 2012-01-31 00:00:00
);
create unique index AK_Vendor_AccountNumber on Vendor (AccountNumber);
-- label Name | first AccountNumber Name | sort -BusinessEntityID | last PurchasingWebServiceURL ModifiedDate | kinds ActiveFlag=boolean CreditRating=number
create table WorkOrder ( -- 50 rows
  WorkOrderID integer primary key,
  ProductID int not null references Product (ProductID),
  OrderQty int not null, -- 1..900
  StockedQty int not null, -- 1..900
  ScrappedQty smallint not null, -- 0..9
  StartDate datetime not null, -- rise
  EndDate datetime, -- time ?20
  DueDate datetime not null, -- time
  ScrapReasonID smallint, -- null
  ModifiedDate datetime not null -- time
);
-- label none | first WorkOrderID ProductID StartDate | sort -StartDate | last ScrapReasonID | kinds OrderQty=number ProductID=relation
create table BillOfMaterials ( -- 50 rows
  BillOfMaterialsID integer primary key,
  ProductAssemblyID int references Product (ProductID),
  ComponentID int not null references Product (ProductID),
  StartDate datetime not null, -- = 2010-03-04 00:00:00
  EndDate datetime, -- null
  UnitMeasureCode char(3) not null, -- EA | OZ | IN
  BOMLevel smallint not null, -- 0..4
  PerAssemblyQty decimal(8,2) not null, -- 1.00..41.00
  ModifiedDate datetime not null -- = 2010-02-18 00:00:00
);
-- label none | first BillOfMaterialsID ProductAssemblyID ComponentID | sort -BillOfMaterialsID | last StartDate EndDate ModifiedDate | kinds PerAssemblyQty=number UnitMeasureCode=text
create table CreditCard ( -- 40 rows
  CreditCardID integer primary key,
  CardType varchar(50) not null, -- Vista | SuperiorCard | Distinguish | ColonialVoice
  ExpMonth tinyint not null, -- 1..12
  ExpYear smallint not null, -- 2024..2029
  ModifiedDate datetime not null -- time
);
-- label none | first CreditCardID | sort -CreditCardID | kinds ExpYear=key ExpMonth=number CardType=text
